/** What every small server of the sandbox can be told: to behave so for a number of times only, and then as usual. */
export interface Limited {
  readonly times?: number
}

/** For each member of a behaviour, whether a value may be its. */
export type Checks<Behaviour> = { readonly [Name in keyof Required<Behaviour>]: (value: unknown) => boolean }

/** Reads a behaviour from JSON, or says in one sentence what is wrong with it. */
export type BehaviourReader<Behaviour> = (value: unknown) => Behaviour | string

/** A reader of behaviours with these members, beside `times`. */
export function behaviourReader<Behaviour extends Limited>(
  own: Checks<Omit<Behaviour, 'times'>>,
): BehaviourReader<Behaviour> {
  const checks: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
    Object.entries({ ...own, times: wholeWithin(1, 1_000_000) }),
  )
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'A behaviour is a JSON object.'
    for (const [name, member] of Object.entries(value)) {
      const check = checks.get(name)
      if (check === undefined)
        return `A behaviour has no ${JSON.stringify(name)}; it has ${[...checks.keys()].join(', ')}.`
      if (!check(member)) return `${JSON.stringify(member)} is no ${name}.`
    }
    return value as Behaviour
  }
}

/**
 * The behaviours that a server was told, each for a subject (a receiver, an address, a name) or for every one.
 *
 * What is told for every subject makes it forget what was told for single ones.
 */
export class Behaviours<Behaviour extends Limited> {
  readonly #told = new Map<string, Behaviour>()

  /** Without a subject: for every one. Subjects are the same in any letter case. */
  set(behaviour: Behaviour, subject = ''): void {
    if (subject === '') this.#told.clear()
    this.#told.set(subject.toLowerCase(), behaviour)
  }

  /**
   * How to behave to this subject, which is counted; nothing was told: `undefined`.
   *
   * A behaviour that does not act here, by `acts`, is neither returned nor counted.
   */
  take(subject = '', acts: (behaviour: Behaviour) => boolean = () => true): Behaviour | undefined {
    const key = this.#told.has(subject.toLowerCase()) ? subject.toLowerCase() : ''
    const behaviour = this.#told.get(key)
    if (behaviour === undefined || !acts(behaviour)) return undefined
    if (behaviour.times === undefined) return behaviour
    if (behaviour.times > 1) this.#told.set(key, { ...behaviour, times: behaviour.times - 1 })
    else this.#told.delete(key)
    return behaviour
  }
}

export function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}

export function wholeWithin(least: number, most: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}
