import { type Logger as PinoLogger, pino } from 'pino'
import { boundedMessage } from './bounded-text.ts'
import { standardError } from './log-lines.ts'
import { requestId } from './request-id.ts'

export type Logger = PinoLogger

/**
 * JSON lines on standard error; standard output belongs to what a command prints. Secrets are also removed by path. Nothing waits for a line to be
 * written (`LogLines`).
 *
 * Errors are logged with at most as much of an input as an error message may repeat. Each line has the `requestId` of the request that caused it,
 * even long after the request was answered.
 */
export function createLogger(name: string, level: string): Logger {
  return pino(
    {
      name,
      level,
      mixin: () => {
        const id = requestId()
        return id === null ? {} : { requestId: id }
      },
      serializers: { err: boundedError },
      redact: {
        paths: ['req.headers.authorization', 'req.headers.cookie', '*.secret', '*.password'],
        censor: '[hidden]',
      },
    },
    standardError(),
  )
}

/** An error as pino writes it, with each of its texts bounded: PostgreSQL repeats whole values in `detail` and `where`. */
function boundedError(error: Error): unknown {
  return bounded(pino.stdSerializers.err(error), 3)
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.split('\n', maxLines).map(boundedMessage).join('\n')
  if (typeof value !== 'object' || value === null || depth === 0) return typeof value === 'object' ? undefined : value
  if (Array.isArray(value)) return value.slice(0, maxLines).map((element) => bounded(element, depth - 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxLines)
      .map(([name, member]) => [name, bounded(member, depth - 1)]),
  )
}

/** Lines of a text in an error, and members of an object in it. */
const maxLines = 60
