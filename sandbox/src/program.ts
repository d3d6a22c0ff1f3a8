/** A server that runs as a program of the sandbox. */
export interface Served {
  /** Its addresses, which are printed after `ready`. */
  readonly at: string
  close(): Promise<void>
}

/**
 * Runs a server of the sandbox as a program: prints `ready …` once it answers, logs JSON lines to standard error, and ends with SIGTERM, SIGINT or
 * the process that forked it. If the start fails, it prints one line and exits with code 1.
 */
export async function runProgram(
  name: string,
  start: (log: (message: string) => void) => Promise<Served>,
): Promise<void> {
  try {
    const served = await start((message) =>
      process.stderr.write(`${JSON.stringify({ time: Date.now(), msg: message })}\n`),
    )
    let stopping = false
    const stop = (): void => {
      if (stopping) return
      stopping = true
      void served.close().then(() => process.exit(0))
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
    if (process.connected) process.on('disconnect', stop)
    process.stdout.write(`ready ${served.at}\n`)
  } catch (error) {
    process.stderr.write(`The ${name} cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}
