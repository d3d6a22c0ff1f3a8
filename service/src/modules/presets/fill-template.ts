import { domainToASCII } from 'node:url'
import { DnsFault, printedOwner, readOwner, ttlBounds } from '@zonewright/dns'
import { type NewFault, parseChange, type RrsetChange } from '#modules/records/index.ts'
import { absolute, relativeToRoot } from '#modules/zones/index.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import { faultOfRules, termsOf } from './spf.ts'
import type { Template, TemplateField, TemplateRecord, TxtConflict } from './template.ts'
import { bytesOf, quoteTxt } from './txt.ts'
import { checkParameters, hostParameter, namesInFields, placeOfParameter, substitute } from './variables.ts'

/** A record that a template sets in a zone: canonical, and valid on its own. */
export type WantedRecord = {
  readonly name: string
  readonly type: string
  readonly ttl: number
  /** Errors in its name or value, which count only if the zone does not already have that name or value. */
  readonly ifNew?: readonly NewFault[]
} & (
  | { readonly value: string; readonly txtConflict: TxtConflict }
  /** Rules for the one SPF record of the name; the type is TXT. */
  | { readonly spfRules: readonly string[] }
)

type Filled = { readonly wanted: WantedRecord } | { readonly faults: readonly FaultDetail[] }

/**
 * The records that a template sets in a zone, with these parameters.
 *
 * Throws a Refusal that reports every error at once, each at the parameter that has to change.
 */
export function fillTemplate(
  template: Template,
  zone: string,
  parameters: Readonly<Record<string, string>>,
): WantedRecord[] {
  const { values, records, faults } = checkParameters(template, parameters)
  const host = hostOf(zone, values.get(hostParameter), template.hostRequired, faults)
  // Without its parameters, a record would have errors that the caller did not make.
  if (faults.length > 0 || host === undefined) throw Refusal.of(faults)
  for (const [name, value] of placeValues(host.fqdn, zone)) values.set(name, value)
  const filled = records.map((record) => fillRecord(record, zone, host, values))
  const bad = filled.flatMap((item): readonly FaultDetail[] => ('faults' in item ? item.faults : []))
  if (bad.length > 0) throw Refusal.of(withoutRepeats(bad))
  return filled.flatMap((item) => ('wanted' in item ? [item.wanted] : []))
}

/** The name that the template is applied to. */
interface Host {
  readonly fqdn: string
  /** Errors in how it was written, for names that the zone does not have yet. */
  readonly ifNew: readonly NewFault[]
}

/** The variables that are determined by the name to which the template is applied. */
function placeValues(fqdn: string, zone: string): [name: string, value: string][] {
  return [
    ['fqdn', fqdn],
    ['domain', zone],
    [hostParameter, fqdn === zone ? '' : fqdn.slice(0, -zone.length - 1)],
  ]
}

/** The name that the template is applied to. Some templates work only below a domain (`hostRequired`); a missing host is reported elsewhere. */
function hostOf(
  zone: string,
  host: string | undefined,
  hostRequired: boolean,
  faults: FaultDetail[],
): Host | undefined {
  if (host === undefined) return { fqdn: zone, ifNew: [] }
  try {
    const { name, fault } = readOwner(host, absolute(zone), domainToASCII)
    const fqdn = relativeToRoot(name)
    if (hostRequired && fqdn === zone) {
      const message = 'This preset applies to a subdomain. Give one in `host`.'
      faults.push({ path: placeOfParameter(hostParameter), code: 'invalid', message })
    }
    return { fqdn, ifNew: fault === undefined ? [] : [{ fault: { path: placeOfParameter(hostParameter), ...fault } }] }
  } catch (error) {
    if (!(error instanceof DnsFault)) throw error
    faults.push({ path: placeOfParameter(hostParameter), code: error.code, message: error.message })
    return undefined
  }
}

/** The record's texts with the values inserted, parsed like every other record of the service. */
function fillRecord(
  record: TemplateRecord,
  zone: string,
  { fqdn, ifNew: hostFaults }: Host,
  values: ReadonlyMap<string, string>,
): Filled {
  // The spelling of the host has already been checked.
  const printed = printedOwner(absolute(fqdn)).slice(0, -1)
  const ownerValues = new Map([...values, ...placeValues(printed, zone)])
  const isSpfm = record.type === 'SPFM'
  const type = isSpfm ? 'TXT' : record.type
  const parts = record.data.map((part) => partOf(part, values, fqdn))
  const rules = isSpfm ? termsOf(parts.join(' ')) : []
  const value = isSpfm ? quoteTxt(bytesOf(['v=spf1', ...rules].join(' '))) : parts.join(' ')
  const parsed = parseChange(
    zone,
    {
      name: ownerOf(substitute(record.owner, ownerValues), printed),
      type,
      ttl: withinBounds(Number(substitute(record.ttl, values))),
      ask: { kind: 'edit', add: [value], remove: [] },
    },
    { name: 'name', type: 'type', ttl: 'ttl', records: 'records', add: 'add', remove: 'remove' },
  )
  if ('faults' in parsed) return { faults: parsed.faults.map((fault) => ({ ...fault, path: placeOf(fault, record) })) }
  const rulesFault = faultOfRules(rules)
  if (rulesFault !== undefined)
    return { faults: [{ path: placeOfFields(record.data), code: 'bad_rdata', message: rulesFault }] }
  const { name, ttl = ttlBounds.usual, ask, ifNew = [] } = parsed.change
  const canonical = ask.kind === 'edit' ? (ask.add[0] ?? value) : value
  const placed = [
    ...hostFaults,
    ...ifNew.map((each) => ({ ...each, fault: { ...each.fault, path: placeOf(each.fault, record) } })),
  ]
  const owner = { name, type, ttl, ...(placed.length > 0 && { ifNew: placed }) }
  if (isSpfm) return { wanted: { ...owner, spfRules: rules } }
  return { wanted: { ...owner, value: canonical, txtConflict: txtConflictOf(record, parts[0] ?? '') } }
}

/** `@` is the name that the template is applied to; others are below it, except those with a trailing dot. */
function ownerOf(host: string, fqdn: string): string {
  if (host === '@' || host === '') return `${fqdn}.`
  return host.endsWith('.') ? host : `${host}.${fqdn}.`
}

/** A part of the value in presentation form. Hosts are absolute, with or without a trailing dot. */
function partOf(part: TemplateField, values: ReadonlyMap<string, string>, fqdn: string): string {
  const text = substitute(part, values)
  if (part.kind === 'text') return quoteTxt(bytesOf(text))
  if (part.kind !== 'host') return text
  return text === '@' ? `${fqdn}.` : `${text.replace(/\.$/, '')}.`
}

/** A template requests a TTL; the service's own bounds apply (Domain Connect, "TTL"). */
function withinBounds(ttl: number): number {
  return Math.min(Math.max(ttl, ttlBounds.least), ttlBounds.most)
}

/** A name has one SPF and one DMARC record (RFC 7208 §4.5, RFC 7489 §6.6.3): another one replaces it, whatever the template says. */
function txtConflictOf({ txtConflict }: TemplateRecord, quoted: string): TxtConflict {
  const prefix = /^"(v=(?:spf1|DMARC1))\b/i.exec(quoted)?.[1]
  return txtConflict.mode === 'None' && prefix !== undefined ? { mode: 'Prefix', prefix } : txtConflict
}

/** The parameter that has to change to correct an error. If no parameter causes it, another host may correct it. */
function placeOf({ path = '' }: FaultDetail, { owner, ttl, data }: TemplateRecord): string {
  if (path === 'name') return placeOfFields([owner])
  if (path === 'ttl') return placeOfFields([ttl])
  return path === 'type' ? placeOfParameter(hostParameter) : placeOfFields(data)
}

function placeOfFields(fields: readonly TemplateField[]): string {
  const [name = hostParameter] = namesInFields(fields)
  return placeOfParameter(name)
}

/** An invalid host causes the same error in every record. */
function withoutRepeats(faults: readonly FaultDetail[]): FaultDetail[] {
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.code}`, fault])).values()]
}

/** What the template itself provides: without the records that its own are merged with, and without a TTL, which may come from those. */
export function givenBy(wanted: readonly WantedRecord[]): RrsetChange[] {
  return [...Map.groupBy(wanted, ({ name, type }) => `${name} ${type}`).values()].flatMap((records) => {
    const [first] = records
    const add = records.flatMap((record) => ('value' in record ? [record.value] : []))
    return first && add.length > 0
      ? [{ name: first.name, type: first.type, ttl: undefined, ask: { kind: 'edit' as const, add, remove: [] } }]
      : []
  })
}
