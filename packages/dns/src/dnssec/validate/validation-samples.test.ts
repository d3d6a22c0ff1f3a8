import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { dnssecCrypto, keyForms } from '../../../node/dnssec-crypto.ts'
import { newPrivateKey, type SigningKey, signingKey } from '../../../node/signing-key.ts'
import { DnsClass } from '../../dns-class.ts'
import { InfoCode } from '../../extended-error.ts'
import { lookup } from '../../lookup.ts'
import { type Message, Opcode, type Question, Rcode, toWireRecord } from '../../message.ts'
import { type DomainName, isWithin, parseName } from '../../name.ts'
import type { RecordData } from '../../rdata-wire.ts'
import { groupRecords, type ResourceRecord, type Rrset, recordsOf } from '../../rrset.ts'
import { parseType, type RrType, RrType as Types } from '../../type.ts'
import { Zone } from '../../zone.ts'
import { recordsFrom } from '../../zone-samples.test.ts'
import { type DnssecCrypto, KeyAlgorithm } from '../crypto.ts'
import { DigestType, dsOf } from '../ds.ts'
import { nsec3Chain } from '../nsec3-chain.ts'
import type { Nsec3Parameters } from '../nsec3-hash.ts'
import { planSigning, type SigningRules } from '../plan-signing.ts'
import { rrsigToRdata } from '../rrsig.ts'
import { signedLabels, signingInput } from '../signing-input.ts'
import { validate } from './validate.ts'
import type { Verdict } from './verdict.ts'

/** Signed zones and responses for tests. Contains no tests. */

/** Also supports the algorithms of the examples in RFC 4035 and RFC 5155, which zones should no longer use. */
export const oldCrypto: DnssecCrypto = {
  ...dnssecCrypto,
  algorithms: new Set([...dnssecCrypto.algorithms, 5, 7]),
  verify: (algorithm, publicKey, message, signature) => {
    if (algorithm !== 5 && algorithm !== 7) return dnssecCrypto.verify(algorithm, publicKey, message, signature)
    const jwk = keyForms.get(KeyAlgorithm.RSASHA256)?.jwk(Buffer.from(publicKey)) ?? assert.fail()
    return verify('sha1', message, createPublicKey({ key: jwk, format: 'jwk' }), signature)
  },
}

export function questionOf(name: string, type: string): Question {
  return { name: parseName(name), type: parseType(type), class: DnsClass.IN }
}

export function responseOf(
  question: Question,
  sections: { rcode?: number; aa?: boolean; answers?: readonly Rrset[]; authorities?: readonly Rrset[] },
): Message {
  const { rcode = Rcode.NOERROR, aa = true, answers = [], authorities = [] } = sections
  const wired = (rrsets: readonly Rrset[]) => rrsets.flatMap(recordsOf).map(toWireRecord)
  return {
    ...{ id: 1, qr: true, opcode: Opcode.QUERY, aa, tc: false, rd: false, ra: false, ad: false, cd: false, rcode },
    questions: [question],
    answers: wired(answers),
    authorities: wired(authorities),
    additionals: [],
  }
}

/** The time at which the tests validate: within the signatures of `sign`. */
export const now = 1_800_000_000
export const validity = { inception: now - 3_600, expiration: now + 86_400 }

/** A zone with a key, and how it is signed. */
export interface SampleZone {
  readonly zone: Zone
  readonly key: SigningKey
  /** Its DS records, as the zone above publishes them. */
  readonly ds: Rrset
}

/** All zones share one key, because creating keys is slow. */
const key = signingKey(newPrivateKey())

/** A zone with NSEC records and signatures. `parts` replaces what it is signed with. */
export function signedZone(
  origin: string,
  text: string,
  parts: Partial<SigningRules> & { key?: SigningKey } = {},
): SampleZone {
  const { key: own = key, ...rules } = parts
  const zone = zoneOf(origin, text, own)
  const plan = planSigning(zone, zone.names, { ...validity, keys: [own.dnskey], ...rules })
  zone.apply(plan.diff(plan.requests.map(({ message }) => own.sign(message))))
  return { zone, key: own, ds: dsRrset(zone.origin, own.dnskey) }
}

/** The same with NSEC3 records. */
export function hashedZone(origin: string, text: string, parameters: Partial<Nsec3Parameters> = {}): SampleZone {
  const zone = zoneOf(origin, text, key)
  const whole = { algorithm: 1, flags: 0, iterations: 0, salt: new Uint8Array(0), ...parameters }
  const chain = nsec3Chain(zone, whole, dnssecCrypto.sha1)
  const plan = planSigning(zone, zone.names, { ...validity, keys: [key.dnskey] })
  const { added } = plan.diff(plan.requests.map(({ message }) => key.sign(message)))
  const isOfNsec = ({ type, data }: ResourceRecord) =>
    type === Types.NSEC || (type === Types.RRSIG && data[0] === 0 && data[1] === Types.NSEC)
  const kept = added.filter((record) => !isOfNsec(record))
  const records = [
    ...[...zone.rrsets(), ...chain].flatMap(recordsOf),
    ...kept,
    ...chain.map((rrset) => signature(rrset, zone.origin)),
  ]
  return { zone: Zone.fromRrsets(zone.origin, groupRecords(records)), key, ds: dsRrset(zone.origin, key.dnskey) }
}

/** One more signature of an rrset, with anything in it replaced. */
export function signature(
  rrset: Rrset,
  signer: DomainName,
  parts: Partial<Parameters<typeof rrsigToRdata>[0]> = {},
  by: SigningKey = key,
): ResourceRecord {
  const head = {
    covered: rrset.type,
    algorithm: by.dnskey[3] ?? 0,
    labels: signedLabels(rrset.name),
    originalTtl: rrset.ttl,
    ...validity,
    keyTag: ((dsRrset(signer, by.dnskey).data[0]?.[0] ?? 0) << 8) | (dsRrset(signer, by.dnskey).data[0]?.[1] ?? 0),
    signer,
    ...parts,
  }
  const made = parts.signature ?? by.sign(signingInput(rrset, head))
  return { name: rrset.name, type: Types.RRSIG, ttl: rrset.ttl, data: rrsigToRdata({ ...head, signature: made }) }
}

function zoneOf(origin: string, text: string, { dnskey }: SigningKey): Zone {
  const name = parseName(origin)
  const records = recordsFrom(`@ 3600 SOA ns.example. host.example. 1 2 3 4 300\n@ NS ns.example.\n${text}`, name)
  return Zone.fromRrsets(name, groupRecords([...records, { name, type: Types.DNSKEY, ttl: 300, data: dnskey }]))
}

export function dsRrset(name: DomainName, dnskey: RecordData, digestType: number = DigestType.SHA256): Rrset {
  return { name, type: Types.DS, ttl: 300, data: [dsOf(name, dnskey, digestType, dnssecCrypto) ?? assert.fail()] }
}

/** Servers of some zones. `change` may alter a response before it is validated. */
export class World {
  readonly #zones: readonly Zone[]
  readonly #anchors: readonly Rrset[]
  readonly asked: string[] = []

  constructor(zones: readonly (SampleZone | Zone)[], anchors?: readonly Rrset[]) {
    this.#zones = zones.map((each) => (each instanceof Zone ? each : each.zone))
    const [top] = zones
    this.#anchors = anchors ?? (top === undefined || top instanceof Zone ? [] : [top.ds])
  }

  /** What the servers respond: the closest zone, or for DS records the one above. */
  respond(question: Question): Message {
    const { name, type } = question
    const zone = this.#zones
      .filter(({ origin }) => isWithin(name, origin) && (type !== Types.DS || origin !== name))
      .sort((a, b) => b.origin.length - a.origin.length)[0]
    if (zone === undefined) return responseOf(question, { rcode: Rcode.REFUSED })
    return responseOf(question, lookup(zone, name, type, dnssecCrypto.sha1))
  }

  /** The verdict about a response, or about what the servers respond. `change` may alter every response on the way. */
  async verdict(
    name: string,
    type: string,
    { change = (message: Message): Message | undefined => message, unixSeconds = now, crypto = dnssecCrypto } = {},
  ): Promise<Verdict> {
    const question = questionOf(name, type)
    const ask = async (about: DomainName, of: RrType) => {
      this.asked.push(`${about} ${of}`)
      return change(this.respond({ name: about, type: of, class: DnsClass.IN }))
    }
    const response = change(this.respond(question)) ?? assert.fail('no response')
    return await validate(question, response, { anchors: this.#anchors, ask, crypto, unixSeconds })
  }

  async status(name: string, type: string, options: Parameters<World['verdict']>[2] = {}): Promise<string> {
    const verdict = await this.verdict(name, type, options)
    return verdict.status === 'secure' ? 'secure' : `${verdict.status} ${infoName(verdict.infoCode)}`
  }
}

function infoName(code: number | undefined): string {
  return Object.entries(InfoCode).find(([, value]) => value === code)?.[0] ?? `${code}`
}
