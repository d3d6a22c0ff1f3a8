import type { Outcome } from '#ports/registry.ts'
import { ask, needed, nothing, transform } from './ask.ts'
import { newTrid, type SessionPool } from './session-pool.ts'

/** The number of cached names, which are mostly those of our own nameservers. */
const mostRemembered = 10_000

/**
 * Ensures that nameservers exist as hosts at the registry, because a domain can have no others.
 *
 * Creating a host twice has no effect (2302), so these commands are not recorded.
 */
export class KnownHosts {
  readonly #pool: SessionPool
  readonly #tlds: readonly string[]
  readonly #seen = new Set<string>()

  /** `tlds` are the registry's: a host below one of them needs addresses, and is not created without them. */
  constructor(pool: SessionPool, tlds: readonly string[]) {
    this.#pool = pool
    this.#tlds = tlds
  }

  /** Whether some are known only from an earlier check: the registry may have deleted them since. */
  remembers(names: readonly string[]): boolean {
    return names.some((name) => this.#seen.has(name))
  }

  forget(names: readonly string[]): void {
    for (const name of names) this.#seen.delete(name)
  }

  /**
   * Null once all exist. Otherwise the reason, which becomes the outcome of the command that needs them.
   *
   * After `untilMs`, by `performance.now`, it is too late for that command. Hosts that exist by then are cached, so the next attempt creates only the
   * others.
   */
  async ensure(
    names: readonly string[],
    untilMs: number,
  ): Promise<Exclude<Outcome<never>, { kind: 'done' | 'pending' }> | null> {
    const unseen = names.filter((name) => !this.#seen.has(name))
    const isLate = (): boolean => performance.now() >= untilMs
    if (unseen.length === 0) return null
    const checked = await ask(
      this.#pool,
      (_, clTrid) => ({ kind: 'host:check', body: { ids: unseen }, extensions: {}, clTrid }),
      ({ data }) => needed(data['host:chkData'], 'host:chkData').items,
    )
    if (checked.kind !== 'done') return notSentFor(checked)
    for (const { id, isAvailable } of checked.value) {
      if (isAvailable && isLate()) return tooLate
      const hindrance = isAvailable ? await this.#make(id) : null
      if (hindrance !== null) return hindrance
      this.#remember(id.toLowerCase())
    }
    return isLate() ? tooLate : null
  }

  async #make(name: string): ReturnType<KnownHosts['ensure']> {
    if (this.#tlds.some((tld) => name.endsWith(`.${tld}`))) {
      const message = `The registry does not know the host ${name}. Its addresses are required first.`
      return { kind: 'refused', reply: { code: 2303, message, svTrid: '' } }
    }
    const clTrid = newTrid()
    const command = { kind: 'host:create', body: { name, addresses: [] }, extensions: {}, clTrid } as const
    const made = await transform(this.#pool, () => command, nothing)
    const isThere =
      made.kind === 'done' || made.kind === 'pending' || (made.kind === 'refused' && made.reply.code === 2302)
    return isThere ? null : notSentFor(made)
  }

  #remember(name: string): void {
    if (this.#seen.size >= mostRemembered) this.#seen.clear()
    this.#seen.add(name)
  }
}

const tooLate = { kind: 'not_sent', why: 'The registry did not create the nameservers in time.' } as const

/** The outcome for the host is unknown, but the command that needs it was not sent. */
function notSentFor<T extends { readonly kind: string }>(
  outcome: T,
): Exclude<T, { kind: 'done' | 'pending' | 'unknown' }> | { kind: 'not_sent'; why: string } {
  const { kind } = outcome
  if (kind === 'refused' || kind === 'fault') return outcome as never
  return {
    kind: 'not_sent',
    why: `The registry could not create a nameserver: ${'why' in outcome ? outcome.why : kind}`,
  }
}
