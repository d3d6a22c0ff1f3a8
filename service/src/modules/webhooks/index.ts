export { WebhookEngine, type WebhookEngineOptions } from './engine.ts'
export { keepDeliveryPartitions } from './jobs.ts'
export { mountWebhookRoutes, type WebhookRoutesContext } from './routes.ts'
