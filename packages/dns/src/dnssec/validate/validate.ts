import { InfoCode } from '../../extended-error.ts'
import { type Message, type Question, Rcode } from '../../message.ts'
import { type DomainName, isWithin, labelsOf, parentOf, rootName } from '../../name.ts'
import type { Rrset } from '../../rrset.ts'
import { RrType, typeToText } from '../../type.ts'
import type { DnssecCrypto } from '../crypto.ts'
import { followAliases } from './alias-chain.ts'
import { Budget } from './budget.ts'
import { collectProofs, type ZoneProofs } from './collect-proofs.ts'
import { type SignedRrset, signedRrsets } from './signed-rrset.ts'
import { type Ask, type Trust, TrustChain } from './trust-chain.ts'
import { bogus, indeterminate, insecure, secure, type Verdict, worstVerdict } from './verdict.ts'
import { type Means, type TrustedZone, verifyRrset } from './verify-rrset.ts'

/** What a validator starts from. */
export interface ValidatorOptions {
  /** The DS rrsets of the zones that are trusted without proof, such as that of the root. */
  readonly anchors: readonly Rrset[]
  readonly ask: Ask
  readonly crypto: DnssecCrypto
  /** The time, in seconds since 1970. */
  readonly unixSeconds: number
}

/**
 * Validates the response to a question (RFC 4035 §5, RFC 5155 §8, RFC 6840): every record of its answer, and the proofs of everything that it denies.
 * Queries the records that the chain of trust needs.
 *
 * If the answer ends with an alias, and the section has neither the records of its target nor a denial of them, the verdict is about the alias. A
 * caller that follows it also validates the next response. The additional section is not validated.
 */
export async function validate(question: Question, response: Message, options: ValidatorOptions): Promise<Verdict> {
  return await new Validation(question, response, options).verdict()
}

/** The validation of one response. */
class Validation {
  readonly #question: Question
  readonly #response: Message
  readonly #answers: readonly SignedRrset[]
  readonly #authorities: readonly SignedRrset[]
  readonly #means: Means
  readonly #chain: TrustChain
  readonly #proofs = new Map<DomainName, ZoneProofs>()

  constructor(question: Question, response: Message, { anchors, ask, crypto, unixSeconds }: ValidatorOptions) {
    this.#question = question
    this.#response = response
    this.#answers = signedRrsets(response.answers)
    this.#authorities = signedRrsets(response.authorities)
    this.#means = { crypto, unixSeconds, budget: new Budget() }
    this.#chain = new TrustChain(anchors, ask, this.#means)
  }

  async verdict(): Promise<Verdict> {
    const { name, type } = this.#question
    const { rcode } = this.#response
    const { end, asked, synthesized, isTooLong, isAlias } = followAliases(this.#answers, name, type)
    const hasAnswer = rcode === Rcode.NOERROR || rcode === Rcode.NXDOMAIN || (rcode === Rcode.YXDOMAIN && isTooLong)
    if (!hasAnswer)
      return indeterminate(InfoCode.NO_REACHABLE_AUTHORITY, `A response with code ${rcode} has nothing to validate.`)
    if (type === RrType.RRSIG && this.#response.answers.length > 0)
      return insecure(InfoCode.OTHER, 'Signatures are not signed themselves.')
    if (this.#isReferral(end))
      return indeterminate(InfoCode.NOT_AUTHORITATIVE, `The response only refers to other servers for ${end}.`)
    const verdicts: Verdict[] = []
    for (const rrset of this.#answers) if (!synthesized.has(rrset)) verdicts.push(await this.#judge(rrset))
    if (asked !== undefined || isTooLong) {
      if (rcode === Rcode.NXDOMAIN)
        verdicts.push(bogus(InfoCode.DNSSEC_BOGUS, `The response has records of ${end}, which it says does not exist.`))
    } else if (!isAlias || this.#isDenied()) {
      verdicts.push(...(await this.#denied(end)))
    }
    return worstVerdict(verdicts)
  }

  #isReferral(name: DomainName): boolean {
    const { aa, answers } = this.#response
    const types = this.#authorities.filter((rrset) => isWithin(name, rrset.name)).map(({ type }) => type)
    return !aa && answers.length === 0 && types.includes(RrType.NS) && !types.includes(RrType.SOA)
  }

  /** Whether the server denies the name or type at the end of the aliases. If so, it adds the SOA of the zone (RFC 2308 §2). */
  #isDenied(): boolean {
    return this.#response.rcode === Rcode.NXDOMAIN || this.#authorities.some(({ type }) => type === RrType.SOA)
  }

  /** Whether the records of an answer, or the SOA of a denial, are valid. */
  async #judge(rrset: SignedRrset): Promise<Verdict> {
    const what = `${typeToText(rrset.type)} records of ${rrset.name}`
    const signer = signerOf([rrset], rrset.name, rrset.type)
    const trust = await this.#trusted(signer, rrset.name, rrset.type)
    if (trust.status !== 'secure') return trust
    if (signer === undefined)
      return bogus(InfoCode.RRSIGS_MISSING, `The ${what} are not signed, although the zone ${trust.zone} is.`)
    const found = verifyRrset(rrset, trust, this.#means)
    if (found.status !== 'secure') return found
    const { maxTtl, encloser } = found
    const reason = `The zone ${trust.zone} has signed the ${what}.`
    if (encloser === undefined) return secure(reason, maxTtl)
    const proofs = this.#proofsOf(trust)
    const proof = proofs.noCloserMatch(rrset.name, encloser)
    if (proof === undefined) return proofs.missing(`${rrset.name} has no records that are closer than the wildcard`)
    return proofs.doubt ?? (proof === 'proven' ? secure(reason, Math.min(maxTtl, proofs.maxTtl)) : proof)
  }

  /** Whether it is proven that a name, or a type at this name, does not exist. */
  async #denied(name: DomainName): Promise<Verdict[]> {
    const { type } = this.#question
    const soa = this.#authorities.filter((rrset) => rrset.type === RrType.SOA)
    const signer = signerOf(
      this.#authorities.filter((rrset) => denialTypes.has(rrset.type)),
      name,
      type,
    )
    const trust = await this.#trusted(signer, name, type)
    if (trust.status !== 'secure') return [trust]
    const proofs = this.#proofsOf(trust)
    const [proof, what] =
      this.#response.rcode === Rcode.NXDOMAIN
        ? [proofs.nonexistence(name), `${name} does not exist`]
        : [proofs.noData(name, type), `${name} has no ${typeToText(type)} records`]
    if (proof === undefined) return [proofs.missing(what)]
    const found = proof === 'proven' ? secure(`The zone ${trust.zone} proves that ${what}.`, proofs.maxTtl) : proof
    const doubts = proofs.doubt === undefined ? [] : [proofs.doubt]
    return [found, ...doubts, ...(await Promise.all(soa.map((rrset) => this.#judge(rrset))))]
  }

  /** The zone that signs, or that has a name if nothing is signed. */
  async #trusted(signer: DomainName | undefined, name: DomainName, type: RrType): Promise<Trust> {
    if (signer === undefined) return await this.#chain.zoneOf(type === RrType.DS ? parentOf(name) : name)
    const trust = await this.#chain.zoneOf(signer)
    if (trust.status !== 'secure' || trust.zone === signer) return trust
    return bogus(InfoCode.DNSSEC_BOGUS, `The records of ${name} are signed by ${signer}, which is not a zone.`)
  }

  #proofsOf(trusted: TrustedZone): ZoneProofs {
    const known = this.#proofs.get(trusted.zone) ?? collectProofs(this.#authorities, trusted, this.#means)
    this.#proofs.set(trusted.zone, known)
    return known
  }
}

const denialTypes: ReadonlySet<RrType> = new Set([RrType.SOA, RrType.NSEC, RrType.NSEC3])

/** The zone that has signed records about a name: the closest one that can have them. The DS records of a zone are in the one above. */
function signerOf(rrsets: readonly SignedRrset[], name: DomainName, type: RrType): DomainName | undefined {
  const isAbove = (signer: DomainName): boolean =>
    isWithin(name, signer) && (type !== RrType.DS || signer !== name || name === rootName)
  return rrsets
    .flatMap(({ signatures }) => signatures.map(({ rrsig }) => rrsig.signer))
    .filter(isAbove)
    .reduce<DomainName | undefined>(
      (closest, signer) =>
        closest === undefined || labelsOf(signer).length > labelsOf(closest).length ? signer : closest,
      undefined,
    )
}
