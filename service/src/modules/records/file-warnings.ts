import { maxWarnings } from './forgotten-dots.ts'
import { keyOf } from './rrset.ts'
import type { RrsetChange } from './rrset-change.ts'
import type { Warning } from './warnings.ts'

/**
 * The warnings of an imported zone file in the order of its lines. A warning about a record set as a whole gets the line on which it begins.
 * Of names without a final dot, there is one warning per line, and at most 100 in all.
 *
 * `lines`: the line on which the record set of each change begins.
 */
export function warningsOnLines(
  warnings: readonly Warning[],
  changes: readonly RrsetChange[],
  lines: readonly number[],
): Warning[] {
  if (warnings.length === 0) return []
  const lineOf = new Map(changes.map((change, i) => [keyOf(change), lines[i]]))
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
