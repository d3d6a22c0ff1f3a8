import { parseArgs } from 'node:util'
import { type Figure, median, peerOf } from '../report.ts'
import { type Checkout, openCheckout, thisFolder } from './checkout.ts'
import { pairedDns } from './dns-side.ts'
import type { Both, Comparison, Pairs } from './in-turn.ts'
import { pairedService } from './service-side.ts'

/** The arguments of `npm run bench pairs`. */
export interface PairsOptions {
  readonly folder: string
  readonly pairs: number
  /** Only values whose names contain it, or one of its parts between `|`. */
  readonly only: string
}

const usage = 'usage: npm run bench pairs -- OTHER_CHECKOUT [--pairs 9] [--only "PART|PART"]'

/** @throws Error with the usage */
export function readPairsOptions(args: readonly string[]): PairsOptions {
  const options = { pairs: { type: 'string', default: '9' }, only: { type: 'string', default: '' } } as const
  let read: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>
  try {
    read = parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
  const [folder, ...more] = read.positionals
  const pairs = Number(read.values.pairs)
  if (folder === undefined || more.length > 0 || !Number.isInteger(pairs) || pairs < 1) throw new Error(usage)
  return { folder, pairs, only: read.values.only }
}

/**
 * Compares this checkout with another one of the repository, such as a worktree of an older commit, in alternating rounds, so that
 * other work of the machine affects both equally. The load comes from this checkout; each checkout has its own servers.
 */
export class PairedComparison {
  readonly #options: PairsOptions
  readonly #both: Both<Checkout>

  private constructor(options: PairsOptions, both: Both<Checkout>) {
    this.#options = options
    this.#both = both
  }

  static async open(options: PairsOptions): Promise<PairedComparison> {
    const own = await openCheckout(thisFolder)
    return new PairedComparison(options, { own, other: await openCheckout(options.folder) })
  }

  /** For the result file. */
  get about(): object {
    const { own, other } = this.#both
    return { pairs: this.#options.pairs, commits: { own: own.commit, other: other.commit } }
  }

  async measure(): Promise<Figure[]> {
    const { pairs, only } = this.#options
    const wants = ({ name }: Comparison) => only.split('|').some((part) => name.includes(part))
    const measured = [
      ...(await pairedDns(this.#both, pairs, wants)),
      ...(await pairedService(this.#both, pairs, wants)),
    ]
    if (measured.length === 0) throw new Error(`No figure has ${JSON.stringify(only)} in its name.`)
    return measured.map((each) => figureOf(each, this.#both.other.commit))
  }
}

function figureOf({ comparison, own, its }: Pairs, otherCommit: string): Figure {
  const { name, unit, bar, better } = comparison
  const against = otherCommit
  return {
    name,
    unit,
    value: median(own),
    bar:
      better === 'more'
        ? { kind: 'at least', value: bar, against }
        : { kind: 'at most', value: Number((1 / bar).toFixed(3)), against },
    beside: [{ ...peerOf(otherCommit, own, its), samples: its }],
    samples: own,
  }
}
