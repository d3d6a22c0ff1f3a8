import { type Adaptation, type DomainName, type LocatedRecord, Noted, RrType, typeToText } from '@zonewright/dns'
import { relativeToRoot } from '#modules/zones/index.ts'

/**
 * The records of a zone file without the type SPF, which RFC 7208 made obsolete. An SPF record is left out if a TXT record has the same text,
 * and becomes a TXT record otherwise.
 */
export function* withoutSpf(
  records: readonly LocatedRecord[],
): Generator<undefined, { readonly records: readonly LocatedRecord[]; readonly adapted: Noted<Adaptation> }> {
  const adapted = new Noted<Adaptation>()
  if (!records.some(({ type }) => type === RrType.SPF)) return { records, adapted }
  const names = new Set<string>()
  for (const { name, type } of records) {
    if (type === RrType.SPF) names.add(name)
    yield
  }
  const texts = new Set<string>()
  for (const { name, type, data } of records) {
    if (type === RrType.TXT && names.has(name)) texts.add(`${name} ${textOf(data)}`)
    yield
  }
  const kept: LocatedRecord[] = []
  for (const record of records) {
    yield
    if (record.type !== RrType.SPF) {
      kept.push(record)
      continue
    }
    const { line, name, data } = record
    const text = `${name} ${textOf(data)}`
    const owner = relativeToRoot(name)
    const reason = 'Only TXT records are read for SPF (RFC 7208 §3.1).'
    if (texts.has(text)) {
      const message = `The SPF record of ${owner} was skipped, because a TXT record has the same text.`
      adapted.add({ line, code: 'spf_omitted', message, reason })
      continue
    }
    texts.add(text)
    adapted.add({
      line,
      code: 'spf_as_txt',
      message: `The SPF record of ${owner} was converted to a TXT record.`,
      reason,
    })
    kept.push({ ...record, type: RrType.TXT })
  }
  return { records: kept, adapted }
}

/**
 * The records of a zone file with a CNAME at the apex as an ALIAS, which is what providers that "flatten" it mean, and without the addresses
 * that an export has below the comment of an ALIAS.
 */
export function* withAliases(
  records: readonly LocatedRecord[],
  origin: DomainName,
  adapted: Noted<Adaptation>,
): Generator<undefined, readonly LocatedRecord[]> {
  const exported = new Set<string>()
  for (const { name, isExportedAlias } of records) {
    if (isExportedAlias) exported.add(name)
    yield
  }
  const kept: LocatedRecord[] = []
  const told = new Set<string>()
  for (const record of records) {
    yield
    const { line, name, type } = record
    const owner = relativeToRoot(name)
    if (name === origin && type === RrType.CNAME) {
      const message = `The CNAME record of ${owner} was converted to an ALIAS record.`
      const reason =
        'A zone cannot have a CNAME at its own name (RFC 1034 §3.6.2). An ALIAS publishes the addresses of the target.'
      adapted.add({ line, code: 'cname_as_alias', message, reason })
      kept.push({ ...record, type: RrType.ALIAS })
      continue
    }
    if (!exported.has(name) || (type !== RrType.A && type !== RrType.AAAA)) {
      kept.push(record)
      continue
    }
    if (told.has(name)) continue
    told.add(name)
    const message = `The addresses of ${owner} were skipped, because the ALIAS in the comment publishes them.`
    adapted.add({ line, code: 'alias_addresses', message, reason: 'They are the addresses that its target had.' })
  }
  return kept
}

/** The text of all character-strings together, one character per byte. */
function textOf(data: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < data.length; at += 1 + (data[at] ?? 0))
    parts.push(Buffer.from(data.subarray(at + 1, at + 1 + (data[at] ?? 0))).toString('latin1'))
  return parts.join('')
}

/** The lowest TTL of an rrset's records, which all of them get, and the adaptation to list if they differ. */
export function lowestTtl(records: readonly LocatedRecord[]): {
  readonly ttl: number
  readonly adapted: Adaptation | undefined
} {
  const ttl = records.reduce((lowest, record) => Math.min(lowest, record.ttl), Number.POSITIVE_INFINITY)
  const odd = records.find((record) => record.ttl !== ttl)
  if (odd === undefined) return { ttl, adapted: undefined }
  const message = `${relativeToRoot(odd.name)} ${typeToText(odd.type)} was given the TTL ${ttl}, the lowest of its records.`
  const reason = 'All records of an rrset have the same TTL (RFC 2181 §5.2).'
  return { ttl, adapted: { line: odd.line, code: 'ttl_differs', message, reason } }
}
