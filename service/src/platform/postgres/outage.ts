// SQLSTATE classes and codes that mean that PostgreSQL is currently unavailable: connection exceptions, shutdown, startup, too many clients, and
// read-only, which a former primary is after a failover.
const outageStates = /^(08|57P0[1-5]|53300|25006)/
const outageErrnos = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  // Codes for a machine, container or network that is off. A neighbor that does not respond to ARP fails sooner than a connection.
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'],
])
// pg's messages without a code.
const outageMessages =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/

/** The SQLSTATE of PostgreSQL's error, or the code of another one. */
export function stateOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** Whether this error means that PostgreSQL could not be reached, or went away, rather than that it refused a statement. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  const code = stateOf(error) ?? ''
  return outageStates.test(code) || outageErrnos.has(code) || outageMessages.test(error.message)
}

/** Whether a serial was requested on a timeline of PostgreSQL that no primary has adopted (migration 0030). Nothing was written. */
export function isFenced(error: unknown): boolean {
  return stateOf(error) === 'ZW001'
}

// No room on its disk, no memory, a failing disk.
const fullStates = new Set(['53100', '53200', '58030'])

/** Whether this SQLSTATE says that PostgreSQL currently cannot store anything. */
export function isFullState(state: string | undefined): boolean {
  return state !== undefined && fullStates.has(state)
}

/** Whether PostgreSQL could not store something, because its disk is full or fails, or it has no memory. Nothing of it was kept. */
export function isFull(error: unknown): boolean {
  return isFullState(stateOf(error))
}

/** Whether nothing can be stored until PostgreSQL is back, or has room again. */
export function isUnavailable(error: unknown): boolean {
  return isOutage(error) || isFull(error)
}

/** PostgreSQL ended something that took too long: a statement, or a transaction that sent nothing for a while (see `sessionSettings`). */
const tooSlowStates = new Set(['57014', '25P03', '25P04'])

/** Whether PostgreSQL canceled a statement or a transaction that took too long. Nothing of it was kept. */
export function isTooSlow(error: unknown): boolean {
  return tooSlowStates.has(stateOf(error) ?? '')
}
