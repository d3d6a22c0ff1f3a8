import type { ScanFailure } from '@zonewright/contract'
import type { ParentAnswer } from '#ports/parent-dns.ts'

/** How often a zone can be scanned, and how often an account can start scans (design: product, "Scan"). */
export const scanLimits = { pauseS: 600, mostInWindow: 20, windowS: 3_600 } as const

/** Maximum number of nameservers of a zone whose addresses are looked up. */
const maxHosts = 6

/** How long a scan waits for nameservers that other scans use. */
export const maxWaitS = 600

/** Seconds until another scan may start; undefined: it may start now. `ageS`: since the zone's last scan that was not interrupted. */
export function waitS(ageS: number | undefined, agesOfAccountS: readonly number[]): number | undefined {
  const { pauseS, mostInWindow, windowS } = scanLimits
  const recent = agesOfAccountS.filter((age) => age < windowS)
  const ofZone = ageS === undefined ? 0 : pauseS - ageS
  const ofAccount = recent.length < mostInWindow ? 0 : windowS - Math.max(...recent.slice(0, mostInWindow))
  const most = Math.max(ofZone, ofAccount)
  return most > 0 ? Math.ceil(most) : undefined
}

/** The nameservers that a scan queries: those of the domain that are not ours; or why there are none. */
export function hostsToAsk(answer: ParentAnswer, ours: readonly string[]): readonly string[] | ScanFailure {
  if (answer.kind === 'no_answer') return 'parent_unknown'
  if (answer.kind === 'missing' || answer.nameservers.length === 0) return 'not_delegated'
  const others = answer.nameservers.filter((name) => !ours.includes(name))
  return others.length === 0 ? 'delegated_here' : others.slice(0, maxHosts)
}
