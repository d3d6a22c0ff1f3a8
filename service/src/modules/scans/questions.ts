import {
  asName,
  compareNames,
  type DomainName,
  isWithin,
  nameFromWire,
  parseType,
  type ResourceRecord,
  RrType,
  rdataToText,
} from '@zonewright/dns'
import type { SourceAnswer } from '#ports/zone-source.ts'
import type { FoundRecords } from './found-records.ts'

/** A question of a scan. */
export interface Question {
  readonly name: DomainName
  readonly type: RrType
}

/** Undefined: there was no answer. */
type Reply = SourceAnswer | undefined

/** A part of a scan. It yields questions, and continues with their answers. */
type Asking<T> = Generator<Question, T, Reply>

/** Maximum number of names of a walk along NSEC records (design: product, "Scan"). */
const maxWalkNames = 500
/** Maximum number of questions of a walk: the others are left for the records of its names. */
const maxWalkQuestions = 70

const apexTypes = ['A', 'MX', 'TXT', 'AAAA', 'CAA', 'HTTPS'].map(parseType)
const wildcardTypes = ['A', 'AAAA', 'MX', 'TXT'].map(parseType)

/** The records that small zones usually have, the most useful first. */
const hosts = `www mail _dmarc/TXT _domainkey/TXT autodiscover autoconfig webmail smtp imap pop ftp api app blog shop
  cpanel whm webdisk m dev test staging admin portal support help docs cdn static assets img media store status vpn remote
  _mta-sts/TXT mta-sts _smtp._tls/TXT default._bimi/TXT send/MX send/TXT em mg/MX mg/TXT
  _autodiscover._tcp/SRV _sip._tls/SRV _sipfederationtls._tcp/SRV _imaps._tcp/SRV _submission._tcp/SRV _caldavs._tcp/SRV _carddavs._tcp/SRV
  lyncdiscover sip enterpriseregistration enterpriseenrollment msoid ns1 ns2 mx mx1 mx2 pop3 email calendar news git wiki forum
  secure my cloud home demo beta old new go links server host _atproto/TXT`
const selectors = `google selector1 selector2 default k1 k2 k3 s1 s2 mail dkim fm1 fm2 fm3 protonmail protonmail2 protonmail3
  sig1 zoho mandrill mxvault pm resend smtp`
/** Queried even if the server says that nothing is below `_domainkey`: old servers say so of every name without records. */
const surestSelectors = 4

/**
 * The questions to a server about a zone that it does not let us transfer. If it is signed with NSEC, its names are known after a walk.
 * Otherwise common names are queried. Returns whether everything was found.
 */
export function* questionsAbout(zone: DomainName, found: FoundRecords): Asking<boolean> {
  for (const type of apexTypes) found.add(yield* recordsOf(zone, type))
  const { types, isWhole } = yield* walk(zone)
  for (const [name, present] of types) {
    const isAsked = (type: RrType): boolean => name !== zone || !apexTypes.includes(type)
    for (const type of present) if (isAsked(type)) found.add(yield* recordsOf(name, type))
  }
  if (!isWhole) yield* guess(zone, found)
  return isWhole
}

/** Types that a walk finds and a scan does not take: those of the signer, and what the service manages. */
const leftOutTypes: ReadonlySet<RrType> = new Set(
  ['SOA', 'RRSIG', 'NSEC', 'NSEC3PARAM', 'DNSKEY', 'CDS', 'CDNSKEY', 'ZONEMD', 'TYPE128'].map(parseType),
)

interface Walked {
  /** The types of each name, in the order of the names. */
  readonly types: ReadonlyMap<DomainName, readonly RrType[]>
  readonly isWhole: boolean
}

/**
 * Follows the chain of NSEC records from the apex (RFC 4034 §4). A name that is not after the previous one in the zone's order ends the walk,
 * so that no chain is a loop; so does a name that the server made up for the answer (RFC 4470, RFC 9824).
 */
export function* walk(zone: DomainName): Asking<Walked> {
  const types = new Map<DomainName, readonly RrType[]>()
  let at = zone
  for (let asked = 0; asked < maxWalkQuestions && types.size < maxWalkNames; asked++) {
    const reply = yield { name: at, type: RrType.NSEC }
    const nsec = reply?.records.find(({ name, type }) => name === at && type === RrType.NSEC)
    const step = nsec && stepOf(nsec)
    if (step === undefined || isMadeUp(step.next)) return { types, isWhole: false }
    types.set(
      at,
      step.types.filter((type) => !leftOutTypes.has(type) && !(at === zone && type === RrType.NS)),
    )
    if (step.next === zone) return { types, isWhole: true }
    if (!isWithin(step.next, zone) || compareNames(step.next, at) <= 0) return { types, isWhole: false }
    at = step.next
  }
  return { types, isWhole: false }
}

function stepOf({ data }: ResourceRecord): { next: DomainName; types: RrType[] } | undefined {
  try {
    const [, ...types] = rdataToText(RrType.NSEC, data).split(' ')
    return { next: nameFromWire(data), types: types.map(parseType) }
  } catch {
    return undefined
  }
}

function isMadeUp(next: DomainName): boolean {
  return next.startsWith('\\000.')
}

/** Queries common names. Records that equal those of a wildcard are left out, because the wildcard answers for every name. */
function* guess(zone: DomainName, found: FoundRecords): Asking<void> {
  yield* wildcard(zone, found)
  const absent = new Set<DomainName>()
  for (const [label, wanted] of guesses(hosts)) {
    const name = below(label, zone)
    const isBelowAbsent = [...absent].some((above) => isWithin(name, above))
    if (isBelowAbsent) continue
    const reply = yield { name, type: parseType(wanted) }
    if (reply?.exists === false) absent.add(name)
    const isOwn = take(found, name, parseType(wanted), reply)
    if (label === '_domainkey') yield* guessSelectors(zone, found, reply?.exists !== false)
    const isAlias = reply?.records.some((record) => record.name === name && record.type === RrType.CNAME) ?? false
    if (wanted === 'A' && isOwn && !isAlias) take(found, name, RrType.AAAA, yield { name, type: RrType.AAAA })
  }
}

function* wildcard(zone: DomainName, found: FoundRecords): Asking<void> {
  const name = below('*', zone)
  for (const type of wildcardTypes) {
    const reply = yield { name, type }
    const own = (reply?.records ?? []).filter((record) => record.name === name)
    found.add(own)
    if (reply?.exists === false || own.some((record) => record.type === RrType.CNAME)) return
  }
}

function* guessSelectors(zone: DomainName, found: FoundRecords, exists: boolean): Asking<void> {
  for (const selector of words(selectors).slice(0, exists ? undefined : surestSelectors)) {
    const name = below(`${selector}._domainkey`, zone)
    take(found, name, RrType.TXT, yield { name, type: RrType.TXT })
  }
}

/** Adds an answer, unless it comes from the wildcard. False: the name has no records of its own. */
function take(found: FoundRecords, name: DomainName, type: RrType, reply: Reply): boolean {
  if (reply === undefined || reply.records.length === 0) return false
  const isWild = [type, RrType.CNAME].some((each) => found.isFromWildcard(name, each, reply.records))
  if (!isWild) found.add(reply.records)
  return !isWild
}

function* recordsOf(name: DomainName, type: RrType): Asking<readonly ResourceRecord[]> {
  return (yield { name, type })?.records ?? []
}

function guesses(text: string): (readonly [string, string])[] {
  return words(text).map((word) => {
    const [label = '', type = 'A'] = word.split('/')
    return [label, type] as const
  })
}

function words(text: string): string[] {
  return text.split(/\s+/)
}

function below(label: string, zone: DomainName): DomainName {
  return asName(`${label}.${zone}`) ?? zone
}
