import type { Log, LogFields } from '../log.ts'

export interface LogLine extends LogFields {
  readonly level: string
  readonly msg: string
}

/** A log that keeps its lines for the test to read. */
export function keptLog(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = []
  const at = (level: string) => (msg: string, fields?: LogFields) => void lines.push({ level, msg, ...fields })
  return { lines, info: at('info'), warn: at('warn'), error: at('error') }
}
