export { scanJobs } from './jobs.ts'
export { mountScanRoutes } from './routes.ts'
export { Scanner } from './scanner.ts'
