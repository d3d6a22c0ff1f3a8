import type { Announcement } from './announcement.ts'
import type { NameserverTalk } from './nameserver-talk.ts'

/** Time after which an announcement is given up; the comparison once a minute picks it up again. */
const patienceMs = 60_000
/** A NOTIFY without an answer is repeated after the first of these, then after twice the previous delay (RFC 1996 §3.6). */
const notifyAgainMs = { first: 300, most: 5_000 }
/**
 * Delays of SOA queries. After a hint: immediately, then doubling. Without one, the nameserver has not fetched the zone
 * from this process, and probably not at all: four times the previous delay.
 */
const lookAgainMs = { hinted: 1, first: 4, most: 1_000 }
/** Answered but not served for this time: the NOTIFY is repeated. */
const notAppliedMs = 5_000
const soaTimeoutMs = 500
/** How long a new zone is left to the catalog: a nameserver that does not know it yet refuses a NOTIFY. */
const comingMs = 250

/** What announcing a zone needs from the nameserver's line. */
export interface AnnounceParts {
  readonly talk: NameserverTalk
  readonly isOver: () => boolean
  readonly heard: (isAnswered: boolean) => void
  readonly notified: (isAcknowledged: boolean) => void
  /** A serial was seen, by its 32 bits; returns whether it is sufficient. */
  readonly seen: (serial: number) => boolean
}

/** Notifies a nameserver of a zone, then queries it until it serves the target's serial. Resolves to whether it does. */
export async function announceZone(announcement: Announcement, parts: AnnounceParts): Promise<boolean> {
  const deadlineMs = performance.now() + patienceMs
  let notifyMs = notifyAgainMs.first
  if (announcement.target.isNew && (await comesWithCatalog(announcement, parts))) return true
  while (!parts.isOver() && performance.now() < deadlineMs) {
    const { origin, soa, zoneId } = announcement.target
    const outcome = await parts.talk.notify(origin, soa(), notifyMs)
    parts.heard(outcome !== 'silent')
    parts.notified(outcome === 'acknowledged')
    // Many nameservers show the catalog to no one, so the acknowledgement has to be enough.
    if (outcome === 'acknowledged' && zoneId === undefined) return true
    if (outcome === 'silent') {
      if (!parts.isOver() && (await look(announcement, parts))) return true
      notifyMs = Math.min(notifyMs * 2, notifyAgainMs.most)
    } else {
      // Refused or not: a zone that is not known there may be in a moment.
      if (await watch(announcement, parts, Math.min(deadlineMs, performance.now() + notAppliedMs))) return true
      notifyMs = notifyAgainMs.first
    }
  }
  return false
}

/** Whether a new zone is served without its own NOTIFY: the nameserver finds it in the catalog, and fetches it. */
async function comesWithCatalog(announcement: Announcement, parts: AnnounceParts): Promise<boolean> {
  const isFetched = await announcement.pause(comingMs)
  return isFetched && watch(announcement, parts, performance.now() + notAppliedMs)
}

async function watch(announcement: Announcement, parts: AnnounceParts, untilMs: number): Promise<boolean> {
  let waitMs = lookAgainMs.first
  let growth = 4
  while (performance.now() < untilMs) {
    if (await announcement.pause(waitMs)) {
      // Sent a moment ago: the nameserver still has to process it.
      waitMs = lookAgainMs.hinted
      growth = 2
      await announcement.pause(waitMs)
    }
    if (parts.isOver()) return false
    if (await look(announcement, parts)) return true
    waitMs = Math.min(waitMs * growth, lookAgainMs.most)
  }
  return false
}

async function look(announcement: Announcement, parts: AnnounceParts): Promise<boolean> {
  const outcome = await parts.talk.soa(announcement.target.origin, soaTimeoutMs)
  parts.heard(outcome !== 'silent')
  return typeof outcome === 'number' && !announcement.isDropped && parts.seen(outcome)
}
