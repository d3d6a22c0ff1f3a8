import { InfoCode } from '../../extended-error.ts'
import { bogus, type Doubt } from './verdict.ts'

/**
 * The cost limits of one validation. Without them, a malicious zone can keep a validator busy for minutes with one response: with many keys with
 * the same tag and many signatures (KeyTrap, CVE-2023-50387), or with many hashes of long names (CVE-2023-50868).
 */
export const validationLimits = {
  /** Signatures verified. The deepest names of ip6.arpa need one or two for each of 34 labels. */
  checks: 256,
  /** Signatures that do not verify. An honest zone has them only where two keys share a tag. */
  failedChecks: 16,
  /** Keys of one zone with one tag and algorithm. */
  keysPerTag: 4,
  /** DS records of one delegation that are compared with keys. */
  dsRecords: 16,
  /** Names hashed for NSEC3. Those of ip6.arpa need one for each label. */
  hashes: 64,
  /** With more iterations, a zone with NSEC3 counts as insecure (RFC 9276 §3.2). */
  secureIterations: 100,
  /** With more iterations, its proofs are rejected. */
  iterations: 500,
  /** Queries for DS and DNSKEY. A name has at most 127 labels. */
  questions: 256,
} as const

/** The remaining budget of one validation. */
export class Budget {
  #checks = 0
  #failedChecks = 0
  #hashes = 0
  #questions = 0

  /** Whether one more signature may be verified. */
  get hasCheck(): boolean {
    return this.#checks < validationLimits.checks && this.#failedChecks < validationLimits.failedChecks
  }

  noteCheck(isRight: boolean): void {
    this.#checks++
    if (!isRight) this.#failedChecks++
  }

  /** Uses the budget for hashing one name. False if none is left. */
  takeHash(): boolean {
    return ++this.#hashes <= validationLimits.hashes
  }

  takeQuestion(): boolean {
    return ++this.#questions <= validationLimits.questions
  }
}

/** The verdict of a validation that would exceed the budget. */
export const overBudget: Doubt = bogus(
  InfoCode.DNSSEC_BOGUS,
  'Validating the response would need more signatures, hashes or queries than a validator allows.',
)
