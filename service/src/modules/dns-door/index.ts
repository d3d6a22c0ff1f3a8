export { type Door, type DoorOptions, openDoor } from './door.ts'
export { doorJobs } from './jobs.ts'
