import { maxWarnings } from './forgotten-dots.ts'
import { keyOf } from './rrset.ts'
import type { Warning } from './warnings.ts'

/** A record set of a zone file. */
interface Target {
  readonly name: string
  readonly type: string
}

/**
 * The warnings of an imported zone file in the order of its lines. A warning about a record set as a whole gets the line on which it begins.
 * Of names without a final dot, there is one warning per line, and at most 100 in all.
 *
 * `lines`: the line on which each of `rrsets` begins.
 */
export function warningsOnLines(
  warnings: readonly Warning[],
  rrsets: readonly Target[],
  lines: readonly number[],
): Warning[] {
  const lineless = new Set(warnings.filter(({ line }) => line === undefined).map(keyOf))
  const lineOf = new Map<string, number | undefined>()
  if (lineless.size > 0)
    for (const [i, rrset] of rrsets.entries()) if (lineless.has(keyOf(rrset))) lineOf.set(keyOf(rrset), lines[i])
  const located = warnings.map((warning): Warning => {
    const line = warning.line ?? lineOf.get(keyOf(warning))
    return line === undefined ? warning : { ...warning, line }
  })
  const dotless = new Set<number>()
  const listed = located.filter(({ code, line }) => {
    if (code !== 'forgotten_dot' || line === undefined) return true
    if (dotless.has(line) || dotless.size === maxWarnings) return false
    dotless.add(line)
    return true
  })
  return listed.sort((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity))
}
