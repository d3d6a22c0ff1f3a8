import { type Logger as PinoLogger, pino } from 'pino'
import { requestId } from './request-id.ts'

export type Logger = PinoLogger

/**
 * JSON lines on standard error; standard output belongs to what a command prints. Secrets are cut out by path, too.
 *
 * A line bears the `requestId` of the request that it comes of, also long after that was answered.
 */
export function createLogger(name: string, level = 'info'): Logger {
  return pino(
    {
      name,
      level,
      mixin: () => {
        const id = requestId()
        return id === null ? {} : { requestId: id }
      },
      redact: {
        paths: ['req.headers.authorization', 'req.headers.cookie', '*.secret', '*.password'],
        censor: '[hidden]',
      },
    },
    pino.destination({ fd: 2, sync: false }),
  )
}
