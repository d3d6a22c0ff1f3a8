import { maxHits } from '@zonewright/contract'

/** How well a hit matches: 0 is best. */
export const ranks = { equal: 0, begins: 1, beginsLabel: 2, contains: 3, valueEqual: 4, valueContains: 5 } as const

export type Rank = (typeof ranks)[keyof typeof ranks]

/** How well a name matches; undefined: it contains none of the terms. */
export function rankOf(name: string, terms: readonly string[]): Rank | undefined {
  let best: Rank | undefined
  for (const term of terms) {
    const at = name.indexOf(term)
    if (at === -1) continue
    const rank = rankAt(name, at, at === 0 && term.length === name.length)
    if (best === undefined || rank < best) best = rank
  }
  return best
}

/** How well a name that contains a term at `at` matches. `isWhole`: the name is the term. `start`: where the name begins in the text. */
export function rankAt(text: string, at: number, isWhole: boolean, start = 0): Rank {
  if (isWhole) return ranks.equal
  if (at === start) return ranks.begins
  return '.-_ '.includes(text.charAt(at - 1)) ? ranks.beginsLabel : ranks.contains
}

/** The best hits of a search, each once, ordered by rank and then by when they were added. */
export class BestHits<T> {
  readonly #byRank: T[][] = Object.values(ranks).map(() => [])
  readonly #keys = new Set<string>()

  /** Whether a hit of this rank would be among the best: at most `maxHits` hits have this rank or a better one. */
  wants(rank: Rank): boolean {
    let count = 0
    for (let i = 0; i <= rank; i++) count += this.#byRank[i]?.length ?? 0
    return count <= maxHits
  }

  /** Adds a hit that is wanted. One more than is shown is kept, to know whether there are more. */
  add(rank: Rank, key: string, hit: T): void {
    if (this.#keys.has(key)) return
    this.#keys.add(key)
    this.#byRank[rank]?.push(hit)
  }

  get best(): { readonly hits: readonly T[]; readonly hasMore: boolean } {
    const all = this.#byRank.flat()
    return { hits: all.slice(0, maxHits), hasMore: all.length > maxHits }
  }
}
