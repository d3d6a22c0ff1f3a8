export { startWebhooks, type WebhooksOptions } from './engine.ts'
export { webhookJobs } from './jobs.ts'
export { showLanes } from './lane-figures.ts'
export { mountWebhookRoutes, type WebhookRoutesContext } from './routes.ts'
