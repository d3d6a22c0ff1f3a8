/** A compared value, and the share of the other checkout's speed that it must reach. */
export interface Comparison {
  readonly name: string
  readonly unit: string
  /** The share of the other's speed that is enough. For times, the inverse is the limit. */
  readonly bar: number
  readonly better: 'more' | 'less'
}

/** The samples of both, pair by pair. */
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

/**
 * Measures both in turn, twice each, in the order ABBA, so that a machine that becomes faster or slower affects both. Which one is A changes
 * with each pair. The sample of each is the mean of its turns; `settle` is called before each turn.
 */
export async function onePair<T>(
  pair: number,
  { own, other }: Both<T>,
  measured: Pairs,
  measure: (side: T) => Promise<number>,
  settle: () => Promise<void> = async () => undefined,
): Promise<void> {
  tellProgress(`${measured.comparison.name}: pair ${pair + 1}`)
  const turn = async (side: T): Promise<number> => {
    await settle()
    return await measure(side)
  }
  const [first, second] = pair % 2 === 0 ? [own, other] : [other, own]
  const began = await turn(first)
  const between = (await turn(second)) + (await turn(second))
  const means = { first: (began + (await turn(first))) / 2, second: between / 2 }
  measured.own.push(first === own ? means.first : means.second)
  measured.its.push(first === own ? means.second : means.first)
}

/** Measures both at once, alternating with each request, for work that is shorter than changes of the machine's speed. */
export async function oneMixedPair<T>(
  pair: number,
  { own, other }: Both<T>,
  measured: Pairs,
  measure: (sides: readonly [T, T]) => Promise<[number, number]>,
  settle: () => Promise<void>,
): Promise<void> {
  tellProgress(`${measured.comparison.name}: pair ${pair + 1}`)
  await settle()
  const [first, second] = await measure(pair % 2 === 0 ? [own, other] : [other, own])
  measured.own.push(pair % 2 === 0 ? first : second)
  measured.its.push(pair % 2 === 0 ? second : first)
}

/** Reports progress on standard error, because a whole run takes half an hour. */
export function tellProgress(what: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`)
}
