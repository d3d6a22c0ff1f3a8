/** A setting that every small server of the sandbox has: behave like this only a number of times, and then as usual. */
export interface Limited {
  readonly times?: number
}

/** For each member of a behavior, whether a value is valid. */
export type Checks<Behaviour> = { readonly [Name in keyof Required<Behaviour>]: (value: unknown) => boolean }

/** Reads a behavior from JSON, or returns one sentence that says what is wrong with it. */
export type BehaviourReader<Behaviour> = (value: unknown) => Behaviour | string

/** Creates a reader of behaviors with these members, in addition to `times`. */
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
 * The behaviors that were set for a server, each for one subject (a receiver, an address, a name) or for all.
 *
 * Setting a behavior for all subjects removes those of single subjects.
 */
export class Behaviours<Behaviour extends Limited> {
  readonly #told = new Map<string, Behaviour>()

  /** Without a subject, it applies to all. Subjects are not case-sensitive. */
  set(behaviour: Behaviour, subject = ''): void {
    if (subject === '') this.#told.clear()
    this.#told.set(subject.toLowerCase(), behaviour)
  }

  /**
   * Returns the behavior for this subject and counts its use; `undefined` if none was set.
   *
   * A behavior that does not act here, by `acts`, is neither returned nor counted.
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
