import type { Adaptation, IgnoredRecord } from './dialects/adaptation.ts'
import { commonIndent } from './dialects/common-indent.ts'
import { Dialect } from './dialects/dialect.ts'
import type { DomainName } from './name.ts'
import { withoutPauses } from './without-pauses.ts'
import {
  type LocatedRecord,
  type ZoneFileFault,
  type ZoneFileOptions,
  ZoneFileReader,
  type ZoneFileWarning,
} from './zone-file-reader.ts'
import { entryLimits, ZoneLexer } from './zone-lexer.ts'

export interface ZoneFile {
  readonly records: readonly LocatedRecord[]
  readonly faults: readonly ZoneFileFault[]
  /** At most 100 of each code. */
  readonly warnings: readonly ZoneFileWarning[]
  /** The current `$ORIGIN` at the end. */
  readonly origin: DomainName
  /** The line whose record exceeded `maxRrsets`; undefined if everything was read. */
  readonly tooManyAt: number | undefined
  /** What was adapted and ignored, by `ZoneFileOptions.dialects`: the first 100 of each, and how many there are. */
  readonly adapted: { readonly first: readonly Adaptation[]; readonly count: number }
  readonly ignored: { readonly first: readonly IgnoredRecord[]; readonly count: number }
  /** If records were ignored because they are not in the zone, the name of their SOA, or of the first of them. */
  readonly otherZone: DomainName | undefined
}

const defaultMaxFaults = 100
/** For an entry with more words than this, there is a pause between lexing and reading it. */
const manyWords = 1_000

/**
 * Reads a zone file (RFC 1035 §5, RFC 2308 §4) and reports every fault with its line; never throws.
 *
 * `$INCLUDE` is a fault, `$GENERATE` is expanded, `TTL` and `IN` may be in either order. A record without a TTL gets that of `$TTL`, otherwise that
 * of the previous record, otherwise `defaultTtl`. If there is none of them, it is a fault. One cause is one fault: an unreadable owner name is not
 * reported for the lines that inherit it, nor is a missing TTL.
 *
 * With `dialects`, what other systems write differently is adapted, and records that cannot belong to the zone are ignored. Both are listed;
 * without `dialects`, both are faults.
 */
export function parseZoneFile(text: string, options: ZoneFileOptions): ZoneFile {
  return withoutPauses(readZoneFile(text, options))
}

/** The same, with pauses between records, in which the caller can do other work. */
export function* readZoneFile(text: string, options: ZoneFileOptions): Generator<undefined, ZoneFile> {
  const dialect = options.dialects && new Dialect(options.dialects)
  // A byte order mark is not part of the first name.
  const hasMark = text.charCodeAt(0) === 0xfeff
  const end = dialect ? endOf(text) : text.length
  const whole = text.slice(hasMark ? 1 : 0, end)
  if (hasMark) dialect?.byteOrderMark()
  const indent = dialect ? yield* commonIndent(whole) : ''
  if (indent !== '') dialect?.indentation()
  const reader = new ZoneFileReader(options, dialect, dialect?.isOfWindows(whole))
  const lexer = new ZoneLexer(
    whole,
    entryLimits,
    dialect && { indent, note: (line, what) => dialect.noteOdd(line, what) },
  )
  const maxFaults = options.maxFaults ?? defaultMaxFaults
  for (;;) {
    yield
    try {
      const entry = lexer.step()
      if (entry === undefined) break
      if (entry.tokens.length > manyWords) yield
      if (entry.tokens.length > 0) yield* reader.read(entry)
      else reader.readComment(entry)
    } catch (fault) {
      reader.skip(lexer.line, fault)
    }
    if (reader.hasTooMany) break
    if (reader.faults.length >= maxFaults) {
      const message = `And more: reading stopped after ${maxFaults} faults.`
      reader.faults.splice(maxFaults, Infinity, { line: lexer.line, code: 'too_many_faults', message })
      break
    }
  }
  if (end < text.length) dialect?.endMark(lexer.nextLine)
  const { records, faults, warnings, origin, hasTooMany, otherZone } = reader
  return {
    records,
    faults,
    warnings,
    origin,
    tooManyAt: hasTooMany ? lexer.line : undefined,
    adapted: dialect?.adapted ?? nothing,
    ignored: dialect?.ignored ?? nothing,
    otherZone,
  }
}

const nothing = { first: [], count: 0 }

/** Ctrl-Z: DOS and CP/M programs end a text file with it, and fill its last block with it. */
const endMark = 0x1a
/** Maximum number of characters at the end of a file that are searched for the mark. */
const maxPadding = 32 * 1024

/** Where a text ends: before the first Ctrl-Z of those at its end, with only white space between and after them. */
function endOf(text: string): number {
  let end = text.length
  for (let at = text.length - 1; at >= text.length - maxPadding; at--) {
    const code = text.charCodeAt(at)
    if (code === endMark) end = at
    else if (code !== 0x0a && code !== 0x0d && code !== 0x20) break
  }
  return end
}
