import { canonicalRdata, DnsFault, parseType, rdataToText, typeToText } from '@zonewright/dns'
import { readableTarget } from '#modules/records/index.ts'
import { apexRrsets, type ZoneRow } from '#modules/zones/index.ts'
import type { FaultDetail, Faults } from '#platform/errors.ts'
import type { EntryChange } from './read-entries.ts'

/** Separates the entries about the SOA and the NS at the apex, which the service manages, from the others. */
export function* withoutOwn(
  zone: string,
  entries: readonly EntryChange[],
): Generator<undefined, { own: EntryChange[]; others: EntryChange[] }> {
  const own: EntryChange[] = []
  const others: EntryChange[] = []
  for (const entry of entries) {
    ;(isOwn(zone, entry) ? own : others).push(entry)
    yield
  }
  return { own, others }
}

function isOwn(zone: string, { name, type }: EntryChange): boolean {
  if (!/^(?:soa|ns)$/i.test(type)) return false
  return readableTarget(zone, { name, type })?.name === zone
}

/**
 * Checks entries about the SOA and the NS at the apex. Clients send these record sets back as they have read them, or delete them with all
 * others, and neither changes anything. Any other change of them is an error, which is added to `faults`.
 */
export function checkOwn(
  zone: Pick<ZoneRow, 'name' | 'serial' | 'secondaryNames'>,
  nameservers: readonly string[],
  entries: readonly EntryChange[],
  faults: Faults,
): void {
  for (const { type, data } of apexRrsets(zone, nameservers)) {
    const mnemonic = typeToText(type)
    const about = entries.filter((entry) => entry.type.toUpperCase() === mnemonic)
    const own = data.map((item) => comparable(mnemonic, rdataToText(type, item)))
    const fault = changeFault(mnemonic, own, about)
    if (fault) faults.add(fault)
  }
}

function changeFault(type: string, own: readonly string[], entries: readonly EntryChange[]): FaultDetail | undefined {
  const last = entries.at(-1)
  if (last === undefined) return undefined
  let values = new Set(own)
  for (const { ask } of entries) {
    const read = (contents: readonly string[]) => contents.map((content) => comparable(type, content))
    if (ask.kind === 'replace') values = new Set(read(ask.records))
    else {
      for (const value of read(ask.add)) values.add(value)
      for (const value of read(ask.remove)) values.delete(value)
    }
  }
  if (values.size === 0 || (values.size === own.length && own.every((value) => values.has(value)))) return undefined
  const message =
    type === 'SOA'
      ? 'The service manages the SOA. Leave it out, or send it as the service returns it.'
      : `The service manages the NS records at the apex. Leave them out, or send exactly these: ${own.join(' ')}`
  return { path: `/rrsets/${last.place}`, code: 'service_owned', message }
}

/**
 * The form in which a value is compared. It ignores the serial of a SOA, because the service determines it, and clients send an earlier one, or 0.
 */
function comparable(type: string, content: string): string {
  const text = canonical(type, content)
  return type === 'SOA' ? text.replace(/^(\S+ \S+) \d+ /, '$1 ') : text
}

/** An unreadable value is not one of our own. */
function canonical(type: string, content: string): string {
  try {
    return canonicalRdata(parseType(type), content)
  } catch (fault) {
    if (fault instanceof DnsFault) return content
    throw fault
  }
}
