import type { Statement, Tx } from '#platform/postgres/index.ts'
import {
  type AliasPlace,
  addTargetsStatement,
  holdTargets,
  type PublishedAlias,
  publishStatement,
  readPublished,
  type TargetAddresses,
  unpublishStatement,
} from './published-store.ts'
import { publishedTtl } from './rules.ts'

/** A change of one ALIAS: its value and TTL before and after; null: there is none. */
export interface AliasMove extends AliasPlace {
  readonly before: AliasSide
  readonly after: AliasSide
}

type AliasSide = { readonly ttl: number; readonly records: readonly string[] } | null

/** An rrset as it is published. */
export interface PublishedRrset {
  readonly name: string
  readonly type: 'A' | 'AAAA'
  readonly ttl: number
  readonly records: readonly string[]
}

/** The changes of published addresses that moves of ALIAS records cause, in a transaction that has locked their zones. */
export class AliasChanges {
  readonly #published: Map<string, PublishedAlias>
  readonly #targets: ReadonlyMap<string, TargetAddresses>
  readonly #touched = new Map<string, AliasPlace>()

  private constructor(published: readonly PublishedAlias[], targets: readonly TargetAddresses[]) {
    this.#published = new Map(published.map((alias) => [keyOf(alias), alias]))
    this.#targets = new Map(targets.map((target) => [target.target, target]))
  }

  /** For changes without an ALIAS. */
  static none(): AliasChanges {
    return new AliasChanges([], [])
  }

  /** Reads what the moves need, in one round trip; nothing if there are none. */
  static async read(tx: Tx, moves: readonly AliasMove[]): Promise<AliasChanges> {
    if (moves.length === 0) return AliasChanges.none()
    const targets = moves.flatMap(({ after }) => (after === null ? [] : [targetOf(after)]))
    const [published, held] = await Promise.all([readPublished(tx, moves), holdTargets(tx, [...new Set(targets)])])
    return new AliasChanges(published, held)
  }

  /** The rrsets that a move removes and adds. The moves of one name are passed in their order. */
  move({ zoneId, name, after }: AliasMove): { removed: PublishedRrset[]; added: PublishedRrset[] } {
    const key = keyOf({ zoneId, name })
    const before = this.#published.get(key)
    const now = after === null ? undefined : this.#aliasWith(zoneId, name, after)
    if (now === undefined) this.#published.delete(key)
    else this.#published.set(key, now)
    this.#touched.set(key, { zoneId, name })
    return { removed: addressesOf(before), added: addressesOf(now) }
  }

  /** The statements that write the outcome of all moves. */
  statements(): Statement[] {
    const [kept, gone]: [PublishedAlias[], AliasPlace[]] = [[], []]
    for (const [key, place] of this.#touched) {
      const now = this.#published.get(key)
      if (now === undefined) gone.push(place)
      else kept.push(now)
    }
    const added = new Set(kept.map(({ target }) => target).filter((target) => !this.#targets.has(target)))
    return [
      ...(kept.length > 0 ? [publishStatement(kept)] : []),
      ...(gone.length > 0 ? [unpublishStatement(gone)] : []),
      ...(added.size > 0 ? [addTargetsStatement([...added])] : []),
    ]
  }

  #aliasWith(zoneId: string, name: string, after: NonNullable<AliasSide>): PublishedAlias {
    const target = targetOf(after)
    const { ttl, a, aaaa, revision } = this.#targets.get(target) ?? unknown
    return { zoneId, name, target, rrsetTtl: after.ttl, ttl: publishedTtl(after.ttl, ttl), a, aaaa, revision }
  }
}

/** A target that has not been looked up. */
const unknown = { ttl: 0, a: [], aaaa: [], revision: 1 }

/** The target of an ALIAS: a host name without the final dot. */
export function targetOf({ records: [value = ''] }: { readonly records: readonly string[] }): string {
  return value.replace(/\.$/, '')
}

/** The A and AAAA rrsets of an ALIAS; one without addresses is left out. */
export function addressesOf(
  alias:
    | { readonly name: string; readonly ttl: number; readonly a: readonly string[]; readonly aaaa: readonly string[] }
    | undefined,
): PublishedRrset[] {
  if (alias === undefined) return []
  const { name, ttl, a, aaaa } = alias
  const both: PublishedRrset[] = [
    { name, type: 'A', ttl, records: a },
    { name, type: 'AAAA', ttl, records: aaaa },
  ]
  return both.filter(({ records }) => records.length > 0)
}

function keyOf({ zoneId, name }: AliasPlace): string {
  return `${zoneId} ${name}`
}
