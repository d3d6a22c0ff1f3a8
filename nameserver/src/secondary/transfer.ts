import {
  axfrQuery,
  type DomainName,
  ixfrQuery,
  Rcode,
  type ResourceRecord,
  type Rrset,
  RrType,
  recordsOf,
  type Serial,
  serialNewer,
  soaFromRdata,
  soaQuery,
  TransferReader,
  TsigFault,
  type ZoneDiff,
} from '@zonewright/dns'
import { reasonOf } from '../startup-fault.ts'
import type { TableZone } from '../tables/table-zone.ts'
import { fitDiff } from './fit-diff.ts'
import { BrokenOff, LinkDown, type PrimaryLink } from './primary-link.ts'

/** The result of a transfer. It is not applied yet: the caller applies it in one step. */
export type Transferred =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'diff'; readonly diff: ZoneDiff }
  | { readonly kind: 'whole'; readonly rrsets: readonly Rrset[]; readonly whyNotDiff: string | undefined }

/** The primary's response does not match the query. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer'
}

/** The serial of a zone at the primary. */
export function askSerial(link: PrimaryLink, origin: DomainName): Promise<Serial> {
  return link.exchange(
    (id) => soaQuery(id, origin),
    (answer) => {
      if (answer.rcode !== Rcode.NOERROR)
        throw new BadAnswer(`the primary answered the SOA query with rcode ${answer.rcode}`)
      const soa = answer.answers.find((record) => record.type === RrType.SOA && record.name === origin)
      if (!soa) throw new BadAnswer('the primary answered the SOA query without an SOA')
      return soaFromRdata(soa.data).serial
    },
  )
}

/** Transfers what is newer than `held`: the difference by IXFR if a version is held and the difference fits it, otherwise the whole zone by AXFR. */
export async function transfer(
  link: PrimaryLink,
  origin: DomainName,
  held: TableZone | undefined,
): Promise<Transferred> {
  if (!held) return transferWhole(link, origin, held, undefined)
  let whyNotDiff: string
  try {
    const result = await transferDiff(link, held)
    if (typeof result !== 'string') return result
    whyNotDiff = result
  } catch (error) {
    // An AXFR would not help after a lost connection or a wrong signature.
    if (error instanceof LinkDown || error instanceof BrokenOff || error instanceof TsigFault) throw error
    whyNotDiff = reasonOf(error)
  }
  return transferWhole(link, origin, held, whyNotDiff)
}

async function transferDiff(link: PrimaryLink, held: TableZone): Promise<Transferred | string> {
  const reader = new TransferReader(held.origin, 'ixfr', held.serial)
  const outcome = await link.exchange(
    (id) => ixfrQuery(id, held.origin, soaRecordOf(held)),
    (answer) => reader.feed(answer),
  )
  if (outcome.kind === 'unchanged') return outcome
  if (outcome.kind === 'full') return accept(outcome, held, undefined)
  const diff = fitDiff(held, outcome.steps)
  return typeof diff === 'string' ? diff : { kind: 'diff', diff }
}

async function transferWhole(
  link: PrimaryLink,
  origin: DomainName,
  held: TableZone | undefined,
  whyNotDiff: string | undefined,
): Promise<Transferred> {
  const reader = new TransferReader(origin, 'axfr')
  const outcome = await link.exchange(
    (id) => axfrQuery(id, origin),
    (answer) => reader.feed(answer),
  )
  if (outcome.kind !== 'full') throw new BadAnswer('the primary answered the AXFR query with something else')
  return accept(outcome, held, whyNotDiff)
}

function accept(
  { rrsets, serial }: { readonly rrsets: readonly Rrset[]; readonly serial: Serial },
  held: TableZone | undefined,
  whyNotDiff: string | undefined,
): Transferred {
  if (held && serialNewer(held.serial, serial)) {
    throw new BadAnswer(`the primary sent serial ${serial}, older than ${held.serial} held`)
  }
  return { kind: 'whole', rrsets, whyNotDiff }
}

function soaRecordOf(zone: TableZone): ResourceRecord {
  const rrset = zone.rrset(zone.origin, RrType.SOA)
  const [record] = rrset ? recordsOf(rrset) : []
  if (!record) throw new BadAnswer(`${zone.origin} is held without an SOA`)
  return record
}
