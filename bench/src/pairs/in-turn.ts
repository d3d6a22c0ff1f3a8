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

/**
 * Measures both in turn, twice each, in the order ABBA: a machine that becomes faster or slower meanwhile does so for both. Which
 * one is A changes with each pair. The sample of each is the mean of its turns; `settle` is called before each turn.
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

/** Measures both at once, request by request in turn: for what takes less time than the machine needs to change its pace. */
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

/** Reports progress on standard error: a whole run takes half an hour. */
export function tellProgress(what: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`)
}
