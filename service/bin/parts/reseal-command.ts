import type { Platform } from '#compose/platform.ts'
import { AuthSecrets } from '#modules/accounts/index.ts'
import { reseal, type SealedCount, type Sealers } from '#platform/reseal.ts'

/** Opens and seals the columns of the list with the keys of this configuration. */
export function sealersOf({ configuration, secrets }: Platform): Sealers {
  const auth = new AuthSecrets(configuration.secretKey, configuration.secretKeyFallback)
  return { box: secrets, renewedText: (sealed) => auth.renewed(sealed) }
}

/** Reseals everything with `SECRET_KEY`. `report` gets one line for each slice. Returns the outcome in one or two sentences. */
export async function resealSecrets(
  platform: Platform,
  report: (line: string) => void,
): Promise<{ readonly isDone: boolean; readonly says: string }> {
  const counts = await reseal(platform.database.db, sealersOf(platform), (count) =>
    report(`${count.column}: ${count.resealed} sealed again, ${count.current} in all with SECRET_KEY`),
  )
  const hasFallback = platform.configuration.secretKeyFallback !== undefined
  const unreadable = unreadableIn(counts, hasFallback)
  if (unreadable !== undefined)
    return { isDone: false, says: `${unreadable} Set it to the key that sealed them, and run this again.` }
  const sum = (of: 'current' | 'resealed'): number => counts.reduce((all, count) => all + count[of], 0)
  const says = `All ${sum('current')} sealed values in the database are sealed with SECRET_KEY; ${sum('resealed')} of them were sealed again now.`
  return {
    isDone: true,
    says: hasFallback ? `${says} The database no longer needs SECRET_KEY_FALLBACK.` : says,
  }
}

/** The values that neither key opens. Undefined if there are none. */
export function unreadableIn(counts: readonly SealedCount[], hasFallback: boolean): string | undefined {
  const columns = counts.filter(({ unreadable }) => unreadable > 0)
  if (columns.length === 0) return undefined
  const where = columns.map(({ column, unreadable }) => `${column} (${unreadable})`).join(', ')
  return hasFallback
    ? `SECRET_KEY_FALLBACK is not the former key: neither it nor SECRET_KEY opens values in ${where}.`
    : `SECRET_KEY_FALLBACK is not set, but another key than SECRET_KEY sealed values in ${where}.`
}
