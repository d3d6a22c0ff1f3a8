import { useEffect, useSyncExternalStore } from 'react'
import { call } from '../api/client.ts'
import { failedWith } from '../api/failure.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Batch, type BatchView, type ItemState } from '../util/batch.ts'
import { Bell } from '../util/bell.ts'
import { keepAt, keptAt, keptForgotten } from '../util/kept-in-tab.ts'
import { randomKey } from '../util/random-key.ts'
import { attempted } from './use-batch.ts'

/** A zone to add, and the line of the list that it was pasted in. */
export interface AddedLine {
  readonly line: number
  readonly name: string
}

/** What the tab keeps while zones are added. */
interface KeptAdding {
  /** The prefix of the Idempotency-Key of each request, so that a request that is repeated after a reload adds no zone twice. */
  readonly key: string
  readonly lines: readonly AddedLine[]
  readonly states: readonly ItemState[]
}

const place = 'adding-zones'
/** The shortest time between two saves of the results. */
const keepPauseMs = 500

/** Adds many zones, with one request for each. It continues while other pages are open, and after a reload. */
class Adding extends Bell {
  #batch: Batch<AddedLine> | undefined

  readonly batch = (): Batch<AddedLine> | undefined => this.#batch

  begin({ key, lines, states }: KeptAdding): void {
    const batch = new Batch(
      lines,
      ({ name }, index) =>
        attempted(async () => {
          try {
            await call('createZone', { body: { name }, headers: { 'idempotency-key': `${key}-${index}` } })
          } catch (error) {
            // It was added before the person signed in again: an idempotency key is valid only in its session.
            if (!failedWith(error, 'zone_exists')) throw error
          }
        }),
      { states },
    )
    let timer: number | undefined
    const keep = (): void => {
      window.clearTimeout(timer)
      timer = undefined
      if (this.#batch === batch) keepAt(place, { key, lines, states: batch.view().states } satisfies KeptAdding)
    }
    const stop = batch.listen(() => {
      if (this.#batch !== batch) {
        stop()
        window.removeEventListener('pagehide', keep)
        return
      }
      timer ??= window.setTimeout(keep, keepPauseMs)
      if (!batch.view().isRunning) void renew(keys.zones)
    })
    window.addEventListener('pagehide', keep)
    this.#batch = batch
    keep()
    this.tell()
    void batch.start()
  }

  /** Continues with the state that the tab has kept. */
  resume(): void {
    const kept = this.#batch === undefined ? keptAt<KeptAdding>(place) : undefined
    if (kept !== undefined) this.begin(kept)
  }

  forget(): void {
    this.#batch?.pause()
    this.#batch = undefined
    keepAt(place, undefined)
    this.tell()
  }
}

const adding = new Adding()
keptForgotten.listen(() => adding.forget())

/** Zones that are being added, and how far they are. */
export function useAdding(): {
  readonly batch: Batch<AddedLine> | undefined
  readonly view: BatchView | undefined
  readonly begin: (lines: readonly AddedLine[]) => void
  readonly forget: () => void
} {
  const batch = useSyncExternalStore(adding.listen, adding.batch)
  const view = useSyncExternalStore(batch?.listen ?? adding.listen, batch?.view ?? nothing)
  useEffect(() => adding.resume(), [])
  return {
    batch,
    view,
    begin: (lines) => adding.begin({ key: randomKey(), lines, states: [] }),
    forget: () => adding.forget(),
  }
}

const nothing = () => undefined
