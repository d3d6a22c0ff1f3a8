import { toBase32Hex } from '../../base32hex.ts'
import { InfoCode } from '../../extended-error.ts'
import { type DomainName, isWithin, labelsOf, parentOf } from '../../name.ts'
import { equalData } from '../../rdata-wire.ts'
import type { RrType } from '../../type.ts'
import { wildcardBelow } from '../denial.ts'
import { type Nsec3Data, optOutFlag } from '../denial-data.ts'
import { nsec3Hash, type Sha1 } from '../nsec3-hash.ts'
import { enclosing } from '../signing-input.ts'
import { type Budget, overBudget, validationLimits } from './budget.ts'
import { cutOf, hidesBelow, lacks } from './nsec-proofs.ts'
import type { CutProof, Proof, Proofs } from './proofs.ts'
import { bogus, type Doubt, insecure } from './verdict.ts'

/** A verified NSEC3 record; `owner` is the first label of its owner name. */
export interface Nsec3Span extends Nsec3Data {
  readonly owner: string
}

/** What the NSEC3 records of a zone prove. All of them have the same parameters. */
export class Nsec3Proofs implements Proofs {
  readonly #zone: DomainName
  readonly #spans: readonly Nsec3Span[]
  readonly #sha1: Sha1
  readonly #budget: Budget
  readonly #hashes = new Map<DomainName, string>()
  /** Why none of the records is accepted. */
  readonly #doubt: Doubt | undefined

  constructor(zone: DomainName, spans: readonly Nsec3Span[], sha1: Sha1, budget: Budget) {
    this.#zone = zone
    // Other hashes and flags are ignored (RFC 5155 §8.1 and §8.2).
    this.#spans = spans.filter(({ algorithm, flags, next }) => algorithm === 1 && flags <= 1 && next.length === 20)
    this.#sha1 = sha1
    this.#budget = budget
    this.#doubt = doubtAbout(zone, this.#spans)
  }

  nonexistence(name: DomainName): Proof {
    return this.#judge(() => {
      const closest = this.#closest(name)
      if (closest === undefined) return undefined
      const wildcard = wildcardBelow(closest.encloser)
      const isAbsent = this.#covering(wildcard) !== undefined
      if (!closest.isOptOut) return isAbsent ? 'proven' : undefined
      // The wildcard can exist: the real closest encloser may be an empty non-terminal without an NSEC3 record, above unsigned delegations.
      return isAbsent || this.#matching(wildcard) !== undefined ? this.#optedOut(name) : undefined
    })
  }

  noData(name: DomainName, type: RrType): Proof {
    return this.#judge(() => {
      const types = this.#matching(name)?.types
      if (types !== undefined) return lacks(types, type, name) ? 'proven' : undefined
      const closest = this.#closest(name)
      if (closest === undefined) return undefined
      if (closest.isOptOut) return this.#optedOut(name)
      const wildcard = wildcardBelow(closest.encloser)
      const ofWildcard = this.#matching(wildcard)?.types
      return ofWildcard !== undefined && lacks(ofWildcard, type, wildcard) ? 'proven' : undefined
    })
  }

  noCloserMatch(name: DomainName, encloser: DomainName): Proof {
    return this.#judge(() => {
      const span = this.#covering(enclosing(name, labelsOf(encloser).length + 1))
      if (span === undefined) return undefined
      return hasOptOut(span) ? this.#optedOut(name) : 'proven'
    })
  }

  cut(name: DomainName): CutProof {
    return this.#judge(() => {
      const types = this.#matching(name)?.types
      if (types !== undefined) return cutOf(types)
      const closest = this.#closest(name)
      if (closest === undefined) return undefined
      return closest.isOptOut ? this.#optedOut(name) : 'nonexistent'
    })
  }

  /** The result of `proof`, unless the records are not accepted, or hashing exceeds the budget. */
  #judge<P>(proof: () => P): P | Doubt | undefined {
    if (this.#spans.length === 0) return undefined
    if (this.#doubt !== undefined) return this.#doubt
    try {
      return proof()
    } catch (fault) {
      if (fault instanceof TooManyHashes) return overBudget
      throw fault
    }
  }

  /** The name, or one above it, may be an unsigned delegation (RFC 5155 §9.2). Everything about the names below is then insecure. */
  #optedOut(name: DomainName): Doubt {
    return insecure(
      InfoCode.OTHER,
      `${name} is in a span of ${this.#zone} with opt-out, where unsigned delegations may be.`,
    )
  }

  /** The closest encloser of a name, and whether the span that covers the next closer name has opt-out (RFC 5155 §8.3). */
  #closest(name: DomainName): { encloser: DomainName; isOptOut: boolean } | undefined {
    if (!isWithin(name, this.#zone)) return undefined
    for (let nextCloser = name; nextCloser !== this.#zone; ) {
      const encloser = parentOf(nextCloser)
      const match = this.#matching(encloser)
      if (match !== undefined) {
        const span = hidesBelow(match.types) ? undefined : this.#covering(nextCloser)
        return span && { encloser, isOptOut: hasOptOut(span) }
      }
      nextCloser = encloser
    }
    return undefined
  }

  #matching(name: DomainName): Nsec3Span | undefined {
    const hash = this.#hash(name)
    return this.#spans.find(({ owner }) => owner === hash)
  }

  #covering(name: DomainName): Nsec3Span | undefined {
    const hash = this.#hash(name)
    return this.#spans.find(({ owner, next: nextBytes }) => {
      // Base 32 with the extended hex alphabet has the order of the bytes.
      const next = toBase32Hex(nextBytes)
      return owner < next ? owner < hash && hash < next : hash > owner || hash < next
    })
  }

  #hash(name: DomainName): string {
    const known = this.#hashes.get(name)
    if (known !== undefined) return known
    const [parameters] = this.#spans
    if (parameters === undefined || !this.#budget.takeHash()) throw new TooManyHashes()
    const hash = toBase32Hex(nsec3Hash(name, parameters, this.#sha1))
    this.#hashes.set(name, hash)
    return hash
  }
}

class TooManyHashes extends Error {}

function hasOptOut({ flags }: Nsec3Span): boolean {
  return (flags & optOutFlag) !== 0
}

/** Why the records of a zone prove nothing: their parameters differ (RFC 5155 §8.2), or hashing takes too long (RFC 9276 §3.2). */
function doubtAbout(zone: DomainName, spans: readonly Nsec3Span[]): Doubt | undefined {
  const [first] = spans
  if (first === undefined) return undefined
  const { iterations, salt } = first
  if (spans.some((span) => span.iterations !== iterations || !equalData(span.salt, salt)))
    return bogus(InfoCode.DNSSEC_BOGUS, `The NSEC3 records of ${zone} have different parameters.`)
  const many = `The NSEC3 records of ${zone} have ${iterations} iterations`
  if (iterations > validationLimits.iterations)
    return bogus(
      InfoCode.UNSUPPORTED_NSEC3_ITERATIONS,
      `${many}, and more than ${validationLimits.iterations} are refused.`,
    )
  if (iterations > validationLimits.secureIterations)
    return insecure(
      InfoCode.UNSUPPORTED_NSEC3_ITERATIONS,
      `${many}, and with more than ${validationLimits.secureIterations} they do not count.`,
    )
  return undefined
}
