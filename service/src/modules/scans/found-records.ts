import {
  compareNames,
  type DomainName,
  isWithin,
  printedOwner,
  type ResourceRecord,
  RrType,
  rdataToText,
  signingReason,
  typeToText,
} from '@zonewright/dns'

/** Records that a scan keeps. */
export const maxFound = 10_000
/** Bytes of the zone file with them. */
export const maxFileBytes = 4 * 1024 * 1024

/** The records of the zone that servers sent, each once. What the service manages, what only a signer writes, and other zones' names are left out. */
export class FoundRecords {
  readonly #zone: DomainName
  /** By owner name and type, the lines by their data. */
  readonly #rrsets = new Map<string, { readonly record: ResourceRecord; readonly lines: Map<string, string> }>()
  #count = 0
  #bytes = 0

  constructor(zone: DomainName) {
    this.#zone = zone
  }

  get count(): number {
    return this.#count
  }

  get isFull(): boolean {
    return this.#count >= maxFound || this.#bytes >= maxFileBytes
  }

  add(records: readonly ResourceRecord[]): void {
    for (const record of records) if (!this.isFull) this.#add(record)
  }

  /** Whether the rrset at a name equals the wildcard's, and so probably comes from it. */
  isFromWildcard(name: DomainName, type: RrType, records: readonly ResourceRecord[]): boolean {
    const wildcard = this.#rrsets.get(keyOf(`*.${this.#zone}` as DomainName, type))
    if (wildcard === undefined) return false
    const own = records.filter((record) => record.name === name && record.type === type)
    return own.length > 0 && own.every((record) => wildcard.lines.has(textOf(record) ?? ''))
  }

  /** A zone file with one record a line, the zone's own name first. */
  zoneFile(): string {
    const rrsets = [...this.#rrsets.values()].sort((a, b) => compareNames(a.record.name, b.record.name))
    return rrsets.flatMap(({ lines }) => [...lines.values()]).join('')
  }

  #add(record: ResourceRecord): void {
    const { name, type, ttl } = record
    const isManaged = name === this.#zone && (type === RrType.SOA || type === RrType.NS || type === RrType.DS)
    if (!isWithin(name, this.#zone) || isManaged || type === RrType.SOA) return
    if (signingReason(name, type, this.#zone) !== undefined) return
    const text = textOf(record)
    if (text === undefined) return
    const key = keyOf(name, type)
    const rrset = this.#rrsets.get(key) ?? { record, lines: new Map<string, string>() }
    if (rrset.lines.has(text)) return
    const line = `${printedOwner(name)}\t${ttl}\tIN\t${typeToText(type)}\t${text}\n`
    if (this.#bytes + line.length > maxFileBytes) return
    rrset.lines.set(text, line)
    this.#rrsets.set(key, rrset)
    this.#count++
    this.#bytes += line.length
  }
}

function keyOf(name: DomainName, type: RrType): string {
  return `${type} ${name}`
}

/** Undefined: the data is not valid for its type. */
function textOf({ type, data }: ResourceRecord): string | undefined {
  try {
    return rdataToText(type, data)
  } catch {
    return undefined
  }
}
