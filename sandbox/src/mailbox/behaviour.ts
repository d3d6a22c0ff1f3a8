/** The steps of a mail at which a server may say no: MAIL FROM, RCPT TO, and the end of DATA (RFC 5321 §3.3). */
export type Step = 'sender' | 'recipient' | 'message'

/** How the mailbox answers. Left to itself it takes every mail. */
export interface Behaviour {
  /** Say no at this step. Nothing is known of the recipient at the step `sender`. */
  readonly refuse?: Step
  /** With this code: 550 (for good) unless it is told otherwise; 4xx means "not now". */
  readonly code?: number
  /** Wait before the answer to the message. */
  readonly delayMs?: number
  /** Keep the mail, and close the connection instead of saying so. */
  readonly drop?: boolean
  /** Do so for this many mails only, and then as usual. */
  readonly times?: number
}

const longestDelayMs = 120_000

const checks: { readonly [Name in keyof Behaviour]-?: (value: unknown) => boolean } = {
  refuse: (value) => value === 'sender' || value === 'recipient' || value === 'message',
  code: (value) => isWhole(value, 400, 599),
  delayMs: (value) => isWhole(value, 0, longestDelayMs),
  drop: (value) => typeof value === 'boolean',
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

/** The behaviours that the mailbox was told: for an address, or for every mail. */
export class Behaviours {
  readonly #behaviours = new Map<string, Behaviour>()

  /** Without an address: how every mail is answered to an address that nothing else was told of; the rest is forgotten. */
  set(behaviour: Behaviour, address = ''): void {
    if (address === '') this.#behaviours.clear()
    this.#behaviours.set(address.toLowerCase(), behaviour)
  }

  /** What to do at this step of a mail to this address. Each behaviour counts its mails at the one step where it acts. */
  at(step: Step, address = ''): Behaviour {
    const key = this.#behaviours.has(address.toLowerCase()) ? address.toLowerCase() : ''
    const behaviour = this.#behaviours.get(key) ?? {}
    if ((behaviour.refuse ?? 'message') !== step) return {}
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
