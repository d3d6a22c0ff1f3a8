/** Where better-auth's routes are. */
export const authPath = '/api/auth'
/** Shortest and longest password (NIST SP 800-63B §5.1.1). */
export const passwordLength = { least: 10, most: 128 }
/** From the sign-in on, however busy the session is. */
export const sessionDays = 14
/** Sessions that an account may have. If there are more, the oldest end within an hour. */
export const maxSessions = 100
/** How long the links in mails work, in seconds. */
export const linkLifetimeS = { signUp: 24 * 60 * 60, confirm: 24 * 60 * 60, reset: 60 * 60 }
/** Under which the door tells better-auth the caller's address; one that a client sent is overwritten. */
export const addressHeader = 'x-zonewright-address'
