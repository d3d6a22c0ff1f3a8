import { type Logger as PinoLogger, pino } from 'pino'

export type Logger = PinoLogger

/** JSON lines on standard error; standard output belongs to what a command prints. Secrets are cut out by path, too. */
export function createLogger(name: string, level = 'info'): Logger {
  return pino(
    {
      name,
      level,
      redact: {
        paths: ['req.headers.authorization', 'req.headers.cookie', '*.secret', '*.password'],
        censor: '[hidden]',
      },
    },
    pino.destination({ fd: 2, sync: false }),
  )
}
