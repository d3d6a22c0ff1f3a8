/** Path prefix of better-auth's routes. */
export const authPath = '/api/auth'
/** Minimum and maximum length of a password (NIST SP 800-63B §5.1.1). */
export const passwordLength = { least: 10, most: 128 }
/** Counted from the sign-in, whether the session is used or not. */
export const sessionDays = 14
/** Maximum number of sessions of an account. If there are more, the oldest end within an hour. */
export const maxSessions = 100
/** How long the links in emails work, in seconds. */
export const linkLifetimeS = { signUp: 24 * 60 * 60, confirm: 24 * 60 * 60, reset: 60 * 60 }
/** The header that passes the client's address to better-auth. A value from the client is overwritten. */
export const addressHeader = 'x-zonewright-address'
