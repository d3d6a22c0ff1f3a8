/** A caller may wait this long for the nameservers (design: api, "Conventions"). */
const mostWaitS = 30

/**
 * The seconds of `Prefer: wait=…` (RFC 7240 §4.3), at most 30; undefined if the header has no such preference.
 *
 * An unknown preference is ignored, as the RFC requires.
 */
export function parsePreferredWait(header: string | string[] | undefined): number | undefined {
  const text = [header ?? ''].flat().join(',')
  const seconds = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(text)?.[1]
  return seconds === undefined ? undefined : Math.min(Number(seconds), mostWaitS)
}
