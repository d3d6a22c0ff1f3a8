import { Bell } from '../util/bell.ts'

/** The service has said that nobody is signed in: pages stay as they are, and the person signs in over them. */
export const sessionLost = new Bell()
