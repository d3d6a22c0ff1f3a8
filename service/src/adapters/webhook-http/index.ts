export { createWebhookHttp, type WebhookHttpOptions } from './undici-webhook-http.ts'
