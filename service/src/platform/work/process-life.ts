import { CannotStart } from '../cannot-start.ts'
import { standardError } from '../log-lines.ts'
import { notifySystemd } from './notify-systemd.ts'
import { startWatchdog } from './watchdog.ts'

/** Something that runs until it is stopped. */
export interface Running {
  stop(): Promise<void>
}

/** A stop that takes longer than this is cut short: whatever was still in flight is found again at the next start. */
const stopTimeoutMs = 10_000

/**
 * Runs a process from its start to its end: SIGTERM, SIGINT or the end of the parent that it was forked by stop it in order.
 *
 * A blocked main loop ends the process (`startWatchdog`), also while it starts.
 *
 * A start that fails for a reason that the operator can fix (configuration, database, port) says so in one line and exits 1.
 */
export async function runProcess(start: () => Promise<Running>): Promise<void> {
  startWatchdog()
  // Node would write the error itself, and wait until it is read.
  process.on('uncaughtException', tellStartFailure)
  try {
    const running = await start()
    notifySystemd()
    let stopping = false
    const stop = (why: string): void => {
      if (stopping) return
      stopping = true
      standardError().write(`${JSON.stringify({ time: Date.now(), msg: 'stopping', why })}\n`)
      setTimeout(() => process.exit(1), stopTimeoutMs).unref()
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          tellStartFailure(error)
        },
      )
    }
    process.on('SIGTERM', () => stop('SIGTERM')).on('SIGINT', () => stop('SIGINT'))
    if (process.connected) process.on('disconnect', () => stop('the parent is gone'))
  } catch (error) {
    tellStartFailure(error)
  }
}

/** Writes in one line why a process cannot continue, and ends it with exit code 1. */
export function tellStartFailure(error: unknown): never {
  standardError().write(`${startFailure(error)}\n`)
  process.exit(1)
}

/** One line that an operator can act on; the stack only for unexpected errors. */
function startFailure(error: unknown): string {
  if (error instanceof CannotStart) return error.message
  const { code, message, address, port, path, stack } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code === 'EADDRINUSE')
    return `${address}:${port} is in use by another program. Stop that program, or choose another address.`
  if (code === 'EACCES' && port !== undefined)
    return `This user may not listen on ${address}:${port}. Choose another port, or give this user permission.`
  if (code === 'EACCES' || code === 'EROFS' || code === 'ENOSPC') return `${path} cannot be used: ${code}.`
  return stack ?? message ?? String(error)
}
