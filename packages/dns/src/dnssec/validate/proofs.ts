import type { DomainName } from '../../name.ts'
import type { RrType } from '../../type.ts'
import type { Doubt } from './verdict.ts'

/**
 * What denial records prove about a name or type. Undefined if they prove nothing, so that a caller that needs a proof has none. A doubt is the
 * reason why an existing proof does not count as secure, such as a span with opt-out or too many iterations.
 */
export type Proof = 'proven' | Doubt | undefined

/** What they prove about a zone cut: there is an unsigned one, there is none, or the name does not exist, and so nothing below it. */
export type CutProof = 'unsigned' | 'none' | 'nonexistent' | Doubt | undefined

/** What the denial records of one zone in one response prove. */
export interface Proofs {
  /** That the name does not exist, and that no wildcard replaces it (RFC 4035 §5.4, RFC 5155 §8.4). */
  nonexistence(name: DomainName): Proof
  /** That the name, or the wildcard that replaces it, has no records of the type (RFC 4035 §5.4, RFC 5155 §8.5–8.7). */
  noData(name: DomainName, type: RrType): Proof
  /** That nothing is closer to the name than the wildcard below `encloser` (RFC 4035 §5.3.4, RFC 5155 §8.8). */
  noCloserMatch(name: DomainName, encloser: DomainName): Proof
  /** What is at the name, below the zone's apex (RFC 4035 §5.2, RFC 5155 §8.6 and §8.9). */
  cut(name: DomainName): CutProof
}
