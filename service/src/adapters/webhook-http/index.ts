export { createResolve } from './resolve.ts'
export { createWebhookHttp, type WebhookHttpOptions } from './undici-webhook-http.ts'
