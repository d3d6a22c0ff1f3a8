import { Bell } from '../util/bell.ts'

/** Called when the service reports that no one is signed in. Pages stay as they are, and the person signs in over them. */
export const sessionLost = new Bell()
