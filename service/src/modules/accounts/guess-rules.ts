import { networkOf, siteOf } from '#platform/network-of.ts'

/** Delays guesses after `free` failures: first by 1 s, doubled after every `every` failures, up to `mostS` seconds. Counts are halved every day. */
export interface Delays {
  readonly free: number
  readonly every: number
  readonly mostS: number
}

/** Scopes in which failures are counted. A guess waits for the longest delay that applies to it. */
interface Scopes {
  /** One account, guessed from one network. */
  readonly pair: Delays
  /** One account, guessed from anywhere except its known devices. */
  readonly account?: Delays
  /** Any account, guessed from one network. */
  readonly network?: Delays
  /** One account, guessed from one of its known devices. No other scope applies to such a guess. */
  readonly device: Delays
}

const pair: Delays = { free: 10, every: 1, mostS: 900 }
const network: Delays = { free: 100, every: 50, mostS: 60 }

/**
 * The delays of everything that can be guessed. What they allow (checked by `guess-rules.test.ts`; the first day, then each day after it):
 *
 * - passwords of one account: 114, then 96 from one network; 2,717, then 1,440 from all networks together
 * - passwords of all accounts from one network: 1,792, then 1,440
 * - authenticator codes of one account: 75, then 31 from all networks together. Each is right with a probability of 3 in 1,000,000
 * - either of them from a known device, should its cookie be stolen: 114, then 96 passwords; 39, then 24 codes
 *
 * Delays of a whole account stay short for passwords, so that no one can lock its owner out from elsewhere. Those for codes grow long:
 * only someone who has the password gets that far, and the owner has known devices, backup codes and the password reset.
 */
export const guessDelays = {
  /** Passwords at sign-in. */
  'sign-in': { pair, account: { free: 200, every: 200, mostS: 60 }, network, device: pair },
  /** Passwords that a signed-in person has to enter. */
  password: { pair, account: { free: 200, every: 200, mostS: 60 }, device: pair },
  /** Authenticator codes, on all routes. */
  code: {
    pair: { free: 5, every: 1, mostS: 900 },
    account: { free: 10, every: 3, mostS: 3_600 },
    network,
    device: { free: 5, every: 1, mostS: 3_600 },
  },
  /** Backup codes are too long to be guessed from many networks: an attacker with the password cannot block them. */
  'backup-code': { pair: { free: 5, every: 1, mostS: 900 }, network, device: { free: 5, every: 1, mostS: 900 } },
} as const satisfies Record<string, Scopes>

export type GuessKind = keyof typeof guessDelays

/** How many seconds a guess must wait after this many failures. The number may be a fraction, because counts halve every day. */
export function delayS({ free, every, mostS }: Delays, failures: number): number {
  const count = Math.round(failures)
  return count < free ? 0 : Math.min(mostS, 2 ** Math.floor((count - free) / every))
}

/** Who guesses, and for which account. */
export interface Guesser {
  /** The account's id; for an address without an account, the address. */
  readonly subject: string
  /** The client's IP address. */
  readonly address: string
  /** The id of the account's known device, if the browser is one. */
  readonly device?: string | undefined
}

/** A count of failures: its place in `account_guesses`, and its delays. */
export interface Counter {
  readonly scope: keyof Scopes
  readonly subject: string
  readonly source: string
  readonly delays: Delays
}

/** The counters that a guess is subject to, in the order in which they are locked: the network's first (`lockGuesses`). */
export function countersOf(kind: GuessKind, { subject, address, device }: Guesser): Counter[] {
  const scopes: Scopes = guessDelays[kind]
  if (device !== undefined) return [{ scope: 'device', subject, source: `device ${device}`, delays: scopes.device }]
  const counters: Counter[] = []
  if (scopes.network) counters.push({ scope: 'network', subject: '', source: siteOf(address), delays: scopes.network })
  if (scopes.account) counters.push({ scope: 'account', subject, source: '', delays: scopes.account })
  return [...counters, { scope: 'pair', subject, source: networkOf(address), delays: scopes.pair }]
}

/** The owner gets an email once this many guesses of a kind have failed within an hour. */
export const tellAfterFailures = { password: 10, code: 5 }

/** The kind of failure, as the email to the owner names it. */
export function failureOf(kind: GuessKind): keyof typeof tellAfterFailures {
  return kind === 'sign-in' || kind === 'password' ? 'password' : 'code'
}
