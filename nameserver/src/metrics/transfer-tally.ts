import type { Sample } from './exposition.ts'

/** How a zone was requested. `soa` is the check of a serial. */
export type TransferKind = 'axfr' | 'ixfr' | 'soa'

/** `applied`: the zone changed. `unchanged`: there was nothing newer. `failed`: refused, broken, wrong or interrupted. */
export type TransferOutcome = 'applied' | 'unchanged' | 'failed'

const kinds: readonly TransferKind[] = ['axfr', 'ixfr', 'soa']
const outcomes: readonly TransferOutcome[] = ['applied', 'unchanged', 'failed']

/** Transfers that have ended, by kind and outcome. */
export class TransferTally {
  readonly #counts = new Map<string, number>()

  count(kind: TransferKind, outcome: TransferOutcome): void {
    const key = `${kind} ${outcome}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  samples(): Sample[] {
    return kinds.flatMap((kind) =>
      outcomes.map((outcome) => ({
        labels: { kind, outcome },
        value: this.#counts.get(`${kind} ${outcome}`) ?? 0,
      })),
    )
  }
}
