/** Why the nameserver cannot start. `message` is one line that the person who started it can act on. */
export class StartupFault extends Error {
  override readonly name = 'StartupFault'
}

/** The message of any thrown value, for a log line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A failed connection to a host name with several addresses has a code and no message.
  return error.message || (systemCodeOf(error) ?? error.name)
}

/** Node's code of a failed system call (`EADDRINUSE`, `EACCES`, …), or `undefined`. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
