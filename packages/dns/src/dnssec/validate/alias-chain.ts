import { type DomainName, isWithin, maxNameBytes, nameBytes, rootName } from '../../name.ts'
import { nameFromWire, nameToWire } from '../../name-wire.ts'
import { equalData } from '../../rdata-wire.ts'
import { RrType } from '../../type.ts'
import type { SignedRrset } from './signed-rrset.ts'

/** The result of following the aliases of an answer section from the query name. */
export interface AliasChain {
  /** The last name. */
  readonly end: DomainName
  /** Whether there are aliases. They may lead back to the query name. */
  readonly isAlias: boolean
  /** The queried rrset at the last name; undefined if the section does not have it. */
  readonly asked: SignedRrset | undefined
  /** CNAME records that were synthesized from a DNAME, and so have no signature (RFC 6672 §5.3.1). */
  readonly synthesized: ReadonlySet<SignedRrset>
  /** A DNAME that would make the next name too long (RFC 6672 §2.2). */
  readonly isTooLong: boolean
}

/** No resolver follows longer chains. */
const maxAliases = 16

/** Follows the CNAME and DNAME records of an answer section. */
export function followAliases(answers: readonly SignedRrset[], name: DomainName, type: RrType): AliasChain {
  const synthesized = new Set<SignedRrset>()
  let end = name
  for (let aliases = 0; aliases < maxAliases; aliases++) {
    const here = answers.filter((rrset) => rrset.name === end)
    const cname = here.find((rrset) => rrset.type === RrType.CNAME)
    const dname = answers.find(
      (rrset) => rrset.type === RrType.DNAME && rrset.name !== end && isWithin(end, rrset.name),
    )
    const next = dname === undefined ? targetOf(cname) : redirected(end, dname)
    if (dname !== undefined && cname !== undefined && leadsTo(cname, next)) synthesized.add(cname)
    const asked = here.find((rrset) => rrset.type === type) ?? (type === RrType.ANY ? here[0] : undefined)
    const isEnd = asked !== undefined || next === undefined
    if (isEnd)
      return { end, isAlias: aliases > 0, asked, synthesized, isTooLong: dname !== undefined && next === undefined }
    end = next
  }
  return { end, isAlias: true, asked: undefined, synthesized, isTooLong: false }
}

/** Whether an unsigned CNAME is the one that is synthesized from a DNAME. */
function leadsTo({ signatures, data: [data, ...more] }: SignedRrset, next: DomainName | undefined): boolean {
  if (signatures.length > 0 || data === undefined || more.length > 0 || next === undefined) return false
  return equalData(data, nameToWire(next))
}

function targetOf(cname: SignedRrset | undefined): DomainName | undefined {
  const data = cname?.data[0]
  return data && nameFromWire(data)
}

/** The name below a DNAME with the DNAME's target in place of its owner (RFC 6672 §2.2). Undefined if it would be too long. */
function redirected(name: DomainName, dname: SignedRrset): DomainName | undefined {
  const target = nameFromWire(dname.data[0] ?? Uint8Array.of(0))
  const prefix = dname.name === rootName ? name : name.slice(0, name.length - dname.name.length)
  const next = (target === rootName ? prefix : prefix + target) as DomainName
  return nameBytes(next) > maxNameBytes ? undefined : next
}
