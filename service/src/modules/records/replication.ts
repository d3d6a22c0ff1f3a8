import { setTimeout as delay } from 'node:timers/promises'
import type { CalledZone, Finish } from '#http/call.ts'
import { type Db, isUnavailable } from '#platform/postgres/index.ts'

/** Whether every nameserver was seen to serve a zone's serial or a later one. */
export type IsServed = (db: Db, zoneId: string, serial: number) => Promise<boolean>

/** How often the state is read: often at first, when the change is most likely to arrive. `begin`: the pause before the first read. */
interface Pauses {
  readonly begin: number
  readonly first: number
  readonly most: number
}

const usualPauses: Pauses = { begin: 0, first: 4, most: 100 }

/** Returns the response of a write once the nameservers have its serial, if the caller prefers to wait (`Prefer: wait`, RFC 7240 §4.3). */
export function waitForNameservers(db: Db, isServed: IsServed): Finish {
  return async ({ zone, waitS, leaving }, given) => {
    const { zoneSerial } = given
    if (waitS === undefined || zoneSerial === undefined) return given
    const replicated = await isTrueWithin(waitS, leaving, zone, () => isServed(db, zone.id, zoneSerial))
    return {
      ...given,
      ...(given.body === undefined ? {} : { body: { ...(given.body as object), replicated } }),
      headers: { ...given.headers, 'preference-applied': `wait=${waitS}`, 'zone-replicated': String(replicated) },
    }
  }
}

/**
 * Whether the nameservers have the serial, at the latest after this many seconds, or when the process stops. They never have that of a pending
 * zone.
 *
 * An outage of the database means "not seen yet", because the change is made and the response must not be an error.
 */
export async function isTrueWithin(
  seconds: number,
  leaving: AbortSignal,
  { state }: Pick<CalledZone, 'state'>,
  isThere: () => Promise<boolean>,
  pauses = usualPauses,
): Promise<boolean> {
  if (state !== 'live') return false
  const untilMs = performance.now() + seconds * 1_000
  const pause = (ms: number) => delay(ms, undefined, { signal: leaving }).catch(() => undefined)
  if (pauses.begin > 0) await pause(pauses.begin)
  for (let waitMs = pauses.first; ; waitMs = Math.min(waitMs * 1.5, pauses.most)) {
    if (await isThere().catch(notSeen)) return true
    const leftMs = untilMs - performance.now()
    if (leftMs <= 0 || leaving.aborted) return false
    await pause(Math.min(waitMs, leftMs))
  }
}

function notSeen(error: unknown): false {
  if (isUnavailable(error)) return false
  throw error
}
