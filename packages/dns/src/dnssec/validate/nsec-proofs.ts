import { type DomainName, isWithin, parentOf, rootName } from '../../name.ts'
import { nameSortKey } from '../../name-order.ts'
import { RrType } from '../../type.ts'
import { wildcardBelow } from '../denial.ts'
import type { NsecData } from '../denial-data.ts'
import type { CutProof, Proof, Proofs } from './proofs.ts'

/** A verified NSEC record. */
export interface NsecSpan extends NsecData {
  readonly owner: DomainName
}

/** What the NSEC records of a zone prove. */
export class NsecProofs implements Proofs {
  readonly #zone: DomainName
  readonly #spans: readonly NsecSpan[]

  constructor(zone: DomainName, spans: readonly NsecSpan[]) {
    this.#zone = zone
    this.#spans = spans
  }

  nonexistence(name: DomainName): Proof {
    const encloser = this.#closestEncloser(name)
    return encloser !== undefined && this.#isAbsent(wildcardBelow(encloser)) ? 'proven' : undefined
  }

  noData(name: DomainName, type: RrType): Proof {
    const isMissing = this.#hasNothing(name, type)
    if (isMissing !== undefined) return isMissing ? 'proven' : undefined
    const encloser = this.#closestEncloser(name)
    return encloser !== undefined && this.#hasNothing(wildcardBelow(encloser), type) ? 'proven' : undefined
  }

  noCloserMatch(name: DomainName, encloser: DomainName): Proof {
    return this.#closestEncloser(name) === encloser ? 'proven' : undefined
  }

  cut(name: DomainName): CutProof {
    const types = this.#spans.find(({ owner }) => owner === name)?.types
    if (types !== undefined) return cutOf(types)
    if (this.#isEmptyNonTerminal(name)) return 'none'
    return this.#isAbsent(name) ? 'nonexistent' : undefined
  }

  /** Whether the name exists without the type. Undefined if nothing shows that it exists. */
  #hasNothing(name: DomainName, type: RrType): boolean | undefined {
    const types = this.#spans.find(({ owner }) => owner === name)?.types
    if (types !== undefined) return lacks(types, type, name)
    return this.#isEmptyNonTerminal(name) || undefined
  }

  /** The longest ancestor of an absent name that exists: above it and one end of the span that it is in (RFC 4592 §3.3.1). */
  #closestEncloser(name: DomainName): DomainName | undefined {
    const span = this.#covering(name)
    if (span === undefined || isWithin(span.next, name)) return undefined
    let encloser = parentOf(name)
    while (!isWithin(span.owner, encloser) && !isWithin(span.next, encloser)) encloser = parentOf(encloser)
    return encloser
  }

  #isAbsent(name: DomainName): boolean {
    const span = this.#covering(name)
    return span !== undefined && !isWithin(span.next, name)
  }

  #isEmptyNonTerminal(name: DomainName): boolean {
    const span = this.#covering(name)
    return span !== undefined && isWithin(span.next, name)
  }

  /** A span that contains a name. A span that begins at a zone cut or a DNAME proves nothing about the names below (RFC 6840 §4.1). */
  #covering(name: DomainName): NsecSpan | undefined {
    if (!isWithin(name, this.#zone)) return undefined
    const key = nameSortKey(name)
    return this.#spans.find(({ owner, next, types }) => {
      if (nameSortKey(owner) >= key || (isWithin(name, owner) && hidesBelow(types))) return false
      // The last record points back to the apex.
      return next === this.#zone || (isWithin(next, this.#zone) && key < nameSortKey(next))
    })
  }
}

/** Whether names below a name with these types belong to another zone or are redirected. */
export function hidesBelow(types: readonly RrType[]): boolean {
  return types.includes(RrType.DNAME) || isZoneCut(types)
}

function isZoneCut(types: readonly RrType[]): boolean {
  return types.includes(RrType.NS) && !types.includes(RrType.SOA)
}

/**
 * Whether a name with these types has neither records of the given type nor an alias. The upper side of a zone cut knows only of its DS, and the
 * lower side does not (RFC 6840 §4.1, RFC 4035 §3.1.4.1).
 */
export function lacks(types: readonly RrType[], type: RrType, name: DomainName): boolean {
  if (types.includes(type) || types.includes(RrType.CNAME)) return false
  if (type === RrType.ANY && types.some((each) => each !== RrType.RRSIG && each !== RrType.NSEC)) return false
  return type === RrType.DS ? !types.includes(RrType.SOA) || name === rootName : !isZoneCut(types)
}

/** What a name with these types is, if it has no DS. */
export function cutOf(types: readonly RrType[]): CutProof {
  // An alias is not a zone cut either.
  if (types.includes(RrType.DS) || types.includes(RrType.SOA)) return undefined
  return types.includes(RrType.NS) ? 'unsigned' : 'none'
}
