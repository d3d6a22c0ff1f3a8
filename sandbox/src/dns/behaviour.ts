/** How a registry's server answers about a name. Left to itself it answers what is true. */
export interface Behaviour {
  /** Say nothing at all. */
  readonly silent?: boolean
  /** Answer by UDP with nothing but "too long, come by TCP". */
  readonly truncate?: boolean
  /** Know nothing of the zone: refer to the root instead. */
  readonly lame?: boolean
  /** Answer with this code and no records: 2 is SERVFAIL, 5 is REFUSED. */
  readonly rcode?: number
  /** Wait before the answer. */
  readonly delayMs?: number
  /** Do so for this many questions only, and then as usual. */
  readonly times?: number
}

const longestDelayMs = 60_000

const checks: { readonly [Name in keyof Behaviour]-?: (value: unknown) => boolean } = {
  silent: (value) => typeof value === 'boolean',
  truncate: (value) => typeof value === 'boolean',
  lame: (value) => typeof value === 'boolean',
  rcode: (value) => isWhole(value, 0, 15),
  delayMs: (value) => isWhole(value, 0, longestDelayMs),
  times: (value) => isWhole(value, 1, 1_000_000),
}

/** Reads a behaviour, or says in one sentence what is wrong with it. */
export function readBehaviour(value: unknown): Behaviour | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'A behaviour is a JSON object.'
  for (const [name, member] of Object.entries(value)) {
    if (!isName(name)) return `A behaviour has no ${JSON.stringify(name)}; it has ${Object.keys(checks).join(', ')}.`
    if (!checks[name](member)) return `${JSON.stringify(member)} is no ${name}.`
  }
  return value as Behaviour
}

/** The behaviours that a registry was told: for a name, or for every name. */
export class Behaviours {
  readonly #behaviours = new Map<string, Behaviour>()

  /** Without a name: for every name that nothing else was told of; the rest is forgotten. */
  set(behaviour: Behaviour, name = ''): void {
    if (name === '') this.#behaviours.clear()
    this.#behaviours.set(name, behaviour)
  }

  /** How to answer the next question about this name. */
  take(name: string): Behaviour {
    const key = this.#behaviours.has(name) ? name : ''
    const behaviour = this.#behaviours.get(key) ?? {}
    if (behaviour.times === undefined) return behaviour
    if (behaviour.times > 1) this.#behaviours.set(key, { ...behaviour, times: behaviour.times - 1 })
    else this.#behaviours.delete(key)
    return behaviour
  }
}

function isName(name: string): name is keyof Behaviour {
  return Object.hasOwn(checks, name)
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}
