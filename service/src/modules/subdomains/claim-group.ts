import type { TakingParts } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Gather } from '#platform/work/gather.ts'
import { type Claim, type ClaimOutcome, claimSubdomains } from './claim-subdomain.ts'

/** Maximum number of claims in a group, and how long they are collected (design: zones, "Life"). */
const limits = { claims: 100, gapMs: 200 }

/** Claims names for many callers at once: one transaction and one serial of the parent, every 200 ms. */
export class ClaimGroup {
  readonly #database: Database
  readonly #parts: TakingParts
  readonly #gather: Gather<Claim, ClaimOutcome | undefined>

  constructor(database: Database, parts: TakingParts) {
    this.#database = database
    this.#parts = parts
    this.#gather = new Gather({ maxItems: limits.claims, gapMs: limits.gapMs }, (claims) => this.#together(claims))
  }

  /** Returns the id of the zone after it is committed. Throws the refusal. */
  async claim(claim: Claim): Promise<string> {
    // If the whole group failed, each claim is tried separately.
    const outcome = (await this.#gather.ask(claim)) ?? (await this.#alone(claim))
    if (outcome === undefined) throw new Error('a claim was left without a result')
    if ('refusal' in outcome) throw outcome.refusal
    return outcome.zoneId
  }

  async #alone(claim: Claim): Promise<ClaimOutcome | undefined> {
    const [outcome] = await this.#database.transact((tx) => claimSubdomains(tx, this.#parts, [claim]))
    return outcome
  }

  async #together(claims: readonly Claim[]): Promise<readonly (ClaimOutcome | undefined)[]> {
    try {
      return await this.#database.transact((tx) => claimSubdomains(tx, this.#parts, claims))
    } catch (error) {
      // If the database is down, all claims fail. A retry of a claim that may have been committed would look like a claim of another account's name.
      if (error instanceof Refusal && error.code === 'unavailable') throw error
      return claims.map(() => undefined)
    }
  }
}
