export { createWebhookHttp, type WebhookHttpOptions } from './kept-webhook-http.ts'
export { createResolve } from './resolve.ts'
