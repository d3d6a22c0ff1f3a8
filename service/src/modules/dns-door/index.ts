export { type Door, type DoorOptions, openDoor } from './door.ts'
export { type DoorFacts, inspectDoor } from './inspect-door.ts'
export { doorJobs } from './jobs.ts'
