export type LogLevel = 'info' | 'warn' | 'error'
export type LogFields = Record<string, string | number | boolean | undefined>
export type Log = Record<LogLevel, (msg: string, fields?: LogFields) => void>

/** A log of JSON lines `{level, time, msg, …}`; `time` is ISO 8601. */
export function jsonLog(write: (line: string) => void): Log {
  const at = (level: LogLevel) => (msg: string, fields?: LogFields) =>
    write(`${JSON.stringify({ level, time: new Date().toISOString(), msg, ...fields })}\n`)
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
