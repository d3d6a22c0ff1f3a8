export { basicUserOf } from './credentials.ts'
export { type DoorCall, type DoorOptions, Doors } from './doors.ts'
export { textRefusal } from './text-refusal.ts'
