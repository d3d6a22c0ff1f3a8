export { startWebhooks, type WebhooksOptions } from './engine.ts'
export { webhookJobs } from './jobs.ts'
export { mountWebhookRoutes, type WebhookRoutesContext } from './routes.ts'
