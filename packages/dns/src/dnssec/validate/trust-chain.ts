import { InfoCode } from '../../extended-error.ts'
import { type Message, Rcode } from '../../message.ts'
import { type DomainName, isWithin, parentOf } from '../../name.ts'
import type { RecordData } from '../../rdata-wire.ts'
import type { Rrset } from '../../rrset.ts'
import { RrType, typeToText } from '../../type.ts'
import { overBudget, validationLimits } from './budget.ts'
import { collectProofs } from './collect-proofs.ts'
import { haveCrowdedTag, namedKeys, usableDs } from './ds-match.ts'
import { signedRrsets } from './signed-rrset.ts'
import { bogus, type Doubt, indeterminate, insecure } from './verdict.ts'
import { type Means, type TrustedZone, verifyRrset, zoneKeys } from './verify-rrset.ts'

/** Gets the response to a question about DS or DNSKEY, with its signatures (DO set). Undefined if no server responds. */
export type Ask = (name: DomainName, type: RrType) => Promise<Message | undefined>

/** The zone that a name is in. `isEnd`: nothing is delegated below the name, because it does not exist or is an alias. */
export type Trust = (TrustedZone & { readonly isEnd?: boolean }) | Doubt

/** The chain of trust from the anchors down: which zone a name is in, and whether its keys are trusted (RFC 4035 §5). */
export class TrustChain {
  readonly #anchors: readonly Rrset[]
  readonly #ask: Ask
  readonly #means: Means
  readonly #known = new Map<DomainName, Promise<Trust>>()

  /** @param anchors DS rrsets of trusted zones; if there are several above a name, the closest one is used (RFC 6840 appendix C.1) */
  constructor(anchors: readonly Rrset[], ask: Ask, means: Means) {
    this.#anchors = anchors
    this.#ask = ask
    this.#means = means
  }

  /** The zone that has the records of a name: at a zone cut, the lower one. */
  zoneOf(name: DomainName): Promise<Trust> {
    const known = this.#known.get(name) ?? this.#find(name)
    this.#known.set(name, known)
    return known
  }

  async #find(name: DomainName): Promise<Trust> {
    const anchor = this.#anchors.find((each) => each.name === name)
    if (anchor !== undefined) return await this.#enter(name, anchor.data)
    if (!this.#anchors.some((each) => isWithin(name, each.name)))
      return indeterminate(InfoCode.DNSSEC_INDETERMINATE, `No trust anchor is at or above ${name}.`)
    const above = await this.zoneOf(parentOf(name))
    return above.status !== 'secure' || above.isEnd ? above : await this.#stepTo(name, above)
  }

  /** Goes from a trusted zone to a name that is one label longer. Its DS records show whether it is a separate zone. */
  async #stepTo(name: DomainName, above: TrustedZone): Promise<Trust> {
    const response = await this.#responseTo(name, RrType.DS)
    if ('status' in response) return response
    const answers = signedRrsets(response.answers)
    const ds = answers.find((rrset) => rrset.name === name && rrset.type === RrType.DS)
    if (ds !== undefined) {
      const found = verifyRrset(ds, above, this.#means)
      if (found.status !== 'secure') return found
      if (found.encloser === undefined) return await this.#enter(name, ds.data)
      return bogus(InfoCode.DNSSEC_BOGUS, `The DS records of ${name} come from a wildcard.`)
    }
    const alias = answers.find(
      ({ name: owner, type }) =>
        (type === RrType.DNAME && owner !== name && isWithin(name, owner)) || (type === RrType.CNAME && owner === name),
    )
    if (alias !== undefined) {
      const found = verifyRrset(alias, above, this.#means)
      return found.status === 'secure' ? { ...above, isEnd: true } : found
    }
    const proofs = collectProofs(signedRrsets(response.authorities), above, this.#means)
    const cut = proofs.cut(name)
    if (cut === 'none') return above
    if (cut === 'nonexistent') return { ...above, isEnd: true }
    if (cut === 'unsigned')
      return insecure(InfoCode.OTHER, `The zone ${above.zone} delegates ${name} without DS records.`)
    return cut ?? proofs.missing(`${name} has no DS records`)
  }

  /** Trusts the keys of a zone if one that a DS record names has signed them (RFC 4035 §5.2). */
  async #enter(zone: DomainName, dsRecords: readonly RecordData[]): Promise<Trust> {
    const { crypto } = this.#means
    const ds = usableDs(zone, dsRecords, crypto)
    if ('status' in ds) return ds
    const response = await this.#responseTo(zone, RrType.DNSKEY)
    if ('status' in response) return response
    const rrset = signedRrsets(response.answers).find((each) => each.name === zone && each.type === RrType.DNSKEY)
    if (rrset === undefined)
      return bogus(InfoCode.DNSKEY_MISSING, `The zone ${zone} has DS records, but no DNSKEY records.`)
    const keys = zoneKeys(rrset.data)
    if (keys.length === 0) return bogus(InfoCode.NO_ZONE_KEY_BIT_SET, `No DNSKEY record of ${zone} may sign it.`)
    if (haveCrowdedTag(keys))
      return bogus(InfoCode.DNSSEC_BOGUS, `More than ${validationLimits.keysPerTag} keys of ${zone} have the same tag.`)
    const named = namedKeys(zone, keys, ds, crypto)
    if (named.length === 0) return bogus(InfoCode.DNSKEY_MISSING, `No DNSKEY record of ${zone} matches its DS records.`)
    const found = verifyRrset(rrset, { status: 'secure', zone, keys: named }, this.#means)
    return found.status === 'secure' ? { status: 'secure', zone, keys } : found
  }

  async #responseTo(name: DomainName, type: RrType): Promise<Message | Doubt> {
    if (!this.#means.budget.takeQuestion()) return overBudget
    const response = await this.#ask(name, type)
    const what = `the ${typeToText(type)} records of ${name}`
    if (response === undefined)
      return indeterminate(InfoCode.NO_REACHABLE_AUTHORITY, `No server responds about ${what}.`)
    if (response.rcode === Rcode.NOERROR || response.rcode === Rcode.NXDOMAIN) return response
    return indeterminate(InfoCode.NO_REACHABLE_AUTHORITY, `The query for ${what} got response code ${response.rcode}.`)
  }
}
