import { DnsClass } from './dns-class.ts'
import { DnsFault } from './faults.ts'
import { type Message, Opcode, Rcode, type WireRecord } from './message.ts'
import { type DomainName, isWithin } from './name.ts'
import { expandRdata, type RecordData } from './rdata-wire.ts'
import type { ResourceRecord } from './rrset.ts'
import { isMetaType, RrType, typeToText } from './type.ts'
import { WireReader } from './wire-reader.ts'

/** A dynamic update of a zone (RFC 2136), class IN. */
export interface Update {
  readonly zone: DomainName
  /** If one of them does not hold, nothing is changed (§3.2). */
  readonly prerequisites: readonly Prerequisite[]
  /** Applied in this order (§3.4.2). */
  readonly changes: readonly UpdateChange[]
}

/** A prerequisite (RFC 2136 §2.4). Several `record-exists` of one name and type together describe a whole rrset. */
export type Prerequisite =
  | { readonly kind: 'name-in-use' | 'name-not-in-use'; readonly name: DomainName }
  | { readonly kind: 'rrset-exists' | 'rrset-missing'; readonly name: DomainName; readonly type: RrType }
  | { readonly kind: 'record-exists'; readonly name: DomainName; readonly type: RrType; readonly data: RecordData }

/** One change (RFC 2136 §2.5). */
export type UpdateChange =
  | { readonly kind: 'add-record'; readonly record: ResourceRecord }
  | { readonly kind: 'delete-name'; readonly name: DomainName }
  | { readonly kind: 'delete-rrset'; readonly name: DomainName; readonly type: RrType }
  | { readonly kind: 'delete-record'; readonly name: DomainName; readonly type: RrType; readonly data: RecordData }

/** An update that is not well-formed: `rcode` is FORMERR, NOTZONE or NOTAUTH (RFC 2136 §3). */
export class UpdateFault extends DnsFault {
  readonly rcode: number

  constructor(rcode: number, message: string) {
    super('bad_update', message)
    this.name = 'UpdateFault'
    this.rcode = rcode
  }
}

/** An update as a message: the zone is in the question section, prerequisites in the answer section, changes in the authority section. */
export function updateMessage(id: number, update: Update): Partial<Message> & { id: number } {
  return {
    id,
    opcode: Opcode.UPDATE,
    questions: [{ name: update.zone, type: RrType.SOA, class: DnsClass.IN }],
    answers: update.prerequisites.map(prerequisiteRecord),
    authorities: update.changes.map(changeRecord),
  }
}

/**
 * Reads an update from a message, and checks every section before anything is applied (RFC 2136 §3.1, §3.2, §3.4.1).
 *
 * @throws UpdateFault
 */
export function readUpdate(message: Message): Update {
  const [zone, ...others] = message.questions
  if (message.opcode !== Opcode.UPDATE || zone === undefined || others.length > 0 || zone.type !== RrType.SOA) {
    throw new UpdateFault(Rcode.FORMERR, 'An update names one zone by its SOA.')
  }
  if (zone.class !== DnsClass.IN) throw new UpdateFault(Rcode.NOTAUTH, 'Only zones of the class IN are held.')
  for (const { name } of [...message.answers, ...message.authorities]) {
    if (!isWithin(name, zone.name)) throw new UpdateFault(Rcode.NOTZONE, `${name} does not belong to ${zone.name}`)
  }
  return {
    zone: zone.name,
    prerequisites: message.answers.map(readPrerequisite),
    changes: message.authorities.map(readChange),
  }
}

function prerequisiteRecord(prerequisite: Prerequisite): WireRecord {
  const { name } = prerequisite
  switch (prerequisite.kind) {
    case 'name-in-use':
      return { ...bare, name, type: RrType.ANY, class: DnsClass.ANY }
    case 'name-not-in-use':
      return { ...bare, name, type: RrType.ANY, class: DnsClass.NONE }
    case 'rrset-exists':
      return { ...bare, name, type: prerequisite.type, class: DnsClass.ANY }
    case 'rrset-missing':
      return { ...bare, name, type: prerequisite.type, class: DnsClass.NONE }
    case 'record-exists':
      return { ...bare, name, type: prerequisite.type, class: DnsClass.IN, data: prerequisite.data }
  }
}

function changeRecord(change: UpdateChange): WireRecord {
  switch (change.kind) {
    case 'add-record':
      return { ...change.record, class: DnsClass.IN }
    case 'delete-name':
      return { ...bare, name: change.name, type: RrType.ANY, class: DnsClass.ANY }
    case 'delete-rrset':
      return { ...bare, name: change.name, type: change.type, class: DnsClass.ANY }
    case 'delete-record':
      return { ...bare, name: change.name, type: change.type, class: DnsClass.NONE, data: change.data }
  }
}

/** A record that refers to something has neither TTL nor data. */
const bare = { ttl: 0, data: new Uint8Array(0) }

function readPrerequisite({ name, type, class: dnsClass, ttl, data }: WireRecord): Prerequisite {
  const isName = type === RrType.ANY
  const isBare = data.length === 0
  if (ttl === 0 && (isName || !isMetaType(type))) {
    if (dnsClass === DnsClass.ANY && isBare)
      return isName ? { kind: 'name-in-use', name } : { kind: 'rrset-exists', name, type }
    if (dnsClass === DnsClass.NONE && isBare) {
      return isName ? { kind: 'name-not-in-use', name } : { kind: 'rrset-missing', name, type }
    }
    if (dnsClass === DnsClass.IN && !isName) return { kind: 'record-exists', name, type, data }
  }
  throw new UpdateFault(Rcode.FORMERR, `${typeToText(type)} of ${name} is no prerequisite.`)
}

function readChange({ name, type, class: dnsClass, ttl, data }: WireRecord): UpdateChange {
  const isName = type === RrType.ANY
  if (dnsClass === DnsClass.ANY && ttl === 0 && data.length === 0) {
    if (isName) return { kind: 'delete-name', name }
    if (!isMetaType(type)) return { kind: 'delete-rrset', name, type }
  }
  if (dnsClass === DnsClass.NONE && ttl === 0 && !isMetaType(type) && (data.length > 0 || canBeEmpty(type)))
    return { kind: 'delete-record', name, type, data }
  if (dnsClass === DnsClass.IN && !isMetaType(type)) return { kind: 'add-record', record: { name, type, ttl, data } }
  throw new UpdateFault(Rcode.FORMERR, `${typeToText(type)} of ${name} is no change.`)
}

/** Whether a record of the type may have no data. For the classes ANY and NONE, this is not checked when a message is parsed. */
function canBeEmpty(type: RrType): boolean {
  try {
    expandRdata(type, new WireReader(new Uint8Array(0)))
    return true
  } catch (error) {
    if (error instanceof DnsFault) return false
    throw error
  }
}
