/** The same rule as in the service (NIST SP 800-63B §5.1.1). */
const length = { least: 10, most: 128 }

/** The error of a new password; undefined: none. */
export function passwordFault(password: string): string | undefined {
  if (password.length < length.least) return `Still ${length.least - password.length} characters to go.`
  if (password.length > length.most) return `At most ${length.most} characters.`
  return undefined
}
