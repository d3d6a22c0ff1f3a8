/** What is compared, with how much of the other checkout's speed must be reached. */
export interface Comparison {
  readonly name: string
  readonly unit: string
  /** How much of the other's speed is enough. Times may be as many times longer. */
  readonly bar: number
  readonly better: 'more' | 'less'
}

/** What both had, pair by pair. */
export interface Pairs {
  readonly comparison: Comparison
  readonly own: number[]
  readonly its: number[]
}

/** The two that are compared; `other` is the older one. */
export interface Both<T> {
  readonly own: T
  readonly other: T
}

/** Measures each of both once more, each after `settle`: who is first changes with each pair. */
export async function onePair<T>(
  pair: number,
  { own, other }: Both<T>,
  measured: Pairs,
  measure: (side: T) => Promise<number>,
  settle: () => Promise<void> = async () => undefined,
): Promise<void> {
  const turns = [
    [own, measured.own],
    [other, measured.its],
  ] as const
  tellProgress(`${measured.comparison.name}: pair ${pair + 1}`)
  for (const [side, samples] of pair % 2 === 0 ? turns : turns.toReversed()) {
    await settle()
    samples.push(await measure(side))
  }
}

/** Reports progress on standard error: a whole run takes a quarter of an hour. */
export function tellProgress(what: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`)
}
