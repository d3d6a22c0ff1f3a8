import type { Announcement } from './announcement.ts'
import type { NameserverTalk } from './nameserver-talk.ts'

/** Given up on after this long; the comparison once a minute takes it up again. */
const patienceMs = 60_000
/** Unanswered, a NOTIFY is sent again after the first of these, then twice as late each time (RFC 1996 §3.6). */
const notifyAgainMs = { first: 300, most: 5_000 }
/**
 * Looks at the SOA. After a hint: at once, then twice as late each time. Without one the nameserver has not fetched the zone
 * from this process, and most likely not at all: four times as late each time.
 */
const lookAgainMs = { hinted: 1, first: 4, most: 1_000 }
/** Answered but not served for this long: the NOTIFY is sent again. */
const notAppliedMs = 5_000
const soaTimeoutMs = 500
/** A new zone is left to the catalog for so long: told of it sooner, a nameserver that does not know it yet refuses the NOTIFY. */
const comingMs = 250

/** What announcing a zone needs to know of the nameserver's line, and tells it. */
export interface AnnounceParts {
  readonly talk: NameserverTalk
  readonly isOver: () => boolean
  readonly heard: (isAnswered: boolean) => void
  readonly notified: (isAcknowledged: boolean) => void
  /** A serial was seen, by its 32 bits; returns whether it will do. */
  readonly seen: (serial: number) => boolean
}

/** Tells a nameserver of a zone, then asks until it serves the target's serial. Resolves to whether it does. */
export async function announceZone(announcement: Announcement, parts: AnnounceParts): Promise<boolean> {
  const deadlineMs = performance.now() + patienceMs
  let notifyMs = notifyAgainMs.first
  if (announcement.target.isNew && (await comesWithCatalog(announcement, parts))) return true
  while (!parts.isOver() && performance.now() < deadlineMs) {
    const { origin, soa, zoneId } = announcement.target
    const outcome = await parts.talk.notify(origin, soa(), notifyMs)
    parts.heard(outcome !== 'silent')
    parts.notified(outcome === 'acknowledged')
    // Many a nameserver shows the catalog to nobody: its word has to do.
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

/** Whether a new zone comes to be served without a word of its own: the nameserver finds it in the catalog, and fetches it. */
async function comesWithCatalog(announcement: Announcement, parts: AnnounceParts): Promise<boolean> {
  const isFetched = await announcement.pause(comingMs)
  return isFetched && watch(announcement, parts, performance.now() + notAppliedMs)
}

async function watch(announcement: Announcement, parts: AnnounceParts, untilMs: number): Promise<boolean> {
  let waitMs = lookAgainMs.first
  let growth = 4
  while (performance.now() < untilMs) {
    if (await announcement.pause(waitMs)) {
      // Sent a moment ago: it still has to take it in.
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
