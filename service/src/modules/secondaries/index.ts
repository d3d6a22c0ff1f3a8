export { Notifier } from './notifier.ts'
export { mountSecondaryRoutes } from './routes.ts'
export { SignedReads } from './signed-reads.ts'
export { readServers, type SecondaryServer } from './store.ts'
