import { setTimeout as delay } from 'node:timers/promises'
import type { Response } from '@zonewright/epp'
import type { Reading, RegistryListener, RegistryMessage, RegistryMessages, RegistryNews } from '#ports/registry.ts'
import { ask, needed, nothing } from './ask.ts'
import { domainInfoOf, transferOf } from './domain-info.ts'
import type { EppLog, SessionPool } from './session-pool.ts'

/** The registry's messages over EPP (RFC 5730 §2.9.2.3). */
export function messagesBy(pool: SessionPool, pollEveryMs: number, log: EppLog): RegistryMessages {
  const next: RegistryMessages['next'] = () =>
    ask(
      pool,
      (_, clTrid) => ({ kind: 'poll', body: { op: 'req' }, extensions: {}, clTrid }),
      (response) => (response.results[0].code === 1300 ? null : messageOf(response)),
    )
  const acknowledge: RegistryMessages['acknowledge'] = (messageId) =>
    ask(pool, (_, clTrid) => ({ kind: 'poll', body: { op: 'ack', messageId }, extensions: {}, clTrid }), nothing)

  /** Passes the oldest message on. Returns its result, or nothing if there is none or the registry does not respond. */
  const handOver = async (
    reading: Reading<RegistryMessage | null>,
    take: (message: RegistryMessage) => Promise<void>,
  ): Promise<HandedOver | undefined> => {
    if (reading.kind !== 'done' || reading.value === null) return undefined
    const { id } = reading.value
    await take(reading.value)
    return { id, acknowledged: (await acknowledge(id)).kind }
  }

  return {
    next,
    acknowledge,
    listen: (take): RegistryListener => {
      const stopping = new AbortController()
      let awaySinceMs: number | undefined
      const heard = async () => {
        const reading = await next()
        awaySinceMs = serves(reading) ? undefined : (awaySinceMs ?? performance.now())
        return await handOver(reading, take)
      }
      const listening = (async () => {
        let before: HandedOver | undefined
        while (!stopping.signal.aborted) {
          const now = await heard().catch((error: Error) => {
            log.warn({ err: error }, 'a registry message was not processed; it is delivered again')
            return undefined
          })
          const isNext = isMore(now, before)
          before = now
          if (!isNext) await delay(pollEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
        }
      })()
      return {
        awayForS: () => (awaySinceMs === undefined ? 0 : (performance.now() - awaySinceMs) / 1_000),
        close: async () => {
          stopping.abort()
          await listening
        },
      }
    },
  }
}

/** Whether the registry responded with any result. A registry that refuses every login did not. */
function serves({ kind }: Reading<unknown>): boolean {
  return kind === 'done' || kind === 'refused'
}

interface HandedOver {
  readonly id: string
  readonly acknowledged: Reading<null>['kind']
}

/**
 * Whether to request the next message at once. A message that was not acknowledged comes again. If the acknowledgement was refused,
 * another client has acknowledged it; but if the same message comes again and is refused again, the registry keeps it.
 */
function isMore(now: HandedOver | undefined, before: HandedOver | undefined): boolean {
  return now?.acknowledged === 'done' || (now?.acknowledged === 'refused' && now.id !== before?.id)
}

function messageOf(response: Response): RegistryMessage {
  const { id, date, text } = needed(response.queue, 'msgQ')
  return { id, queuedAt: date ?? null, text: text ?? '', news: newsOf(response) }
}

function newsOf(response: Response): RegistryNews {
  const { data, unread } = response
  if (unread !== undefined) return { kind: 'other', unread }
  if (data['domain:trnData'] !== undefined) return { kind: 'transfer', transfer: transferOf(data) }
  if (data['domain:infData'] !== undefined) return { kind: 'domain', info: domainInfoOf(response) }
  const decided = data['domain:panData']
  if (decided === undefined) return { kind: 'other' }
  return {
    kind: 'decided',
    domain: decided.domain.name.toLowerCase(),
    wasDone: decided.domain.wasDone,
    clTrid: decided.transaction.clTrid ?? null,
    at: decided.date,
  }
}
