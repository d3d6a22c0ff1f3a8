/** How a receiver answers. Left to itself: 200 to what it verified, or cannot verify for want of a secret; 400 to the rest. */
export interface Behaviour {
  /** Answer with this status, whatever the signature. */
  readonly status?: number
  /** Wait before the answer. */
  readonly delayMs?: number
  /** Send the caller elsewhere: the Location header, with 302 unless `status` says otherwise. */
  readonly redirect?: string
  /** Never answer; keep the connection open. */
  readonly hang?: boolean
  /** Close the connection instead of answering. */
  readonly reset?: boolean
  /** Do so for this many requests only, and then as usual. */
  readonly times?: number
}

const longestDelayMs = 120_000

const checks: { readonly [Name in keyof Behaviour]-?: (value: unknown) => boolean } = {
  status: (value) => isWhole(value, 200, 599),
  delayMs: (value) => isWhole(value, 0, longestDelayMs),
  redirect: (value) => typeof value === 'string' && !/[^\x21-\x7e]/.test(value),
  hang: (value) => typeof value === 'boolean',
  reset: (value) => typeof value === 'boolean',
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

function isName(name: string): name is keyof Behaviour {
  return Object.hasOwn(checks, name)
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}
