import {
  axfrAnswers,
  buildResponse,
  ixfrAnswers,
  type Message,
  Rcode,
  type ResourceRecord,
  RrType,
  responseTo,
  type Serial,
  soaFromRdata,
  toWireRecord,
  transferMessages,
} from '@zonewright/dns'
import type { Since } from './rules.ts'
import { answerWith, ednsFor, type SignedQuery, type TransferParts } from './signed-query.ts'

/** Sends a whole zone (RFC 5936), in its turn among the others. */
export async function sendWhole(
  parts: TransferParts,
  query: SignedQuery,
  kind: 'axfr' | 'ixfr_as_axfr',
): Promise<void> {
  await parts.turns.run(async () => {
    const rrsets = await parts.source.whole(query.origin)
    if (rrsets === undefined) return sendRefusal(parts, query)
    for (const message of packed(query, axfrAnswers(rrsets))) {
      await query.send(message)
      await parts.turns.next()
    }
    parts.figures.transfers.inc({ kind })
    parts.onServed(query.origin)
  }, query.owner)
}

/** Answers an IXFR (RFC 1995): up to date, the differences, or the whole zone if that is smaller or the differences are not available. */
export async function sendDifferences(parts: TransferParts, query: SignedQuery): Promise<void> {
  const have = serialIn(query.message)
  if (have === undefined) return query.send(answerWith(query.wire, query.message, Rcode.FORMERR))
  const since = await parts.source.since(query.origin, have)
  if (since === undefined) return sendRefusal(parts, query)
  if (query.transport === 'udp') return sendDatagram(parts, query, since)
  if (since.plan === 'whole') return sendWhole(parts, query, 'ixfr_as_axfr')
  let isFirst = true
  for (const message of packed(query, ixfrAnswers(since.soa, since.steps))) {
    // Most have only one, which does not wait.
    if (!isFirst) await parts.turns.next()
    isFirst = false
    await query.send(message)
  }
  parts.figures.transfers.inc({ kind: 'ixfr' })
  parts.onServed(query.origin)
}

/** One datagram, or only the SOA, which makes the requester use TCP (RFC 1995 §2). */
async function sendDatagram(parts: TransferParts, query: SignedQuery, since: Since): Promise<void> {
  const messages = packed(query, ixfrAnswers(since.soa, since.plan === 'steps' ? since.steps : []), query.maxUdpBytes)
  const first = messages.next()
  const fits = first.done !== true && first.value.length <= query.maxUdpBytes && messages.next().done === true
  const soaAlone = responseTo(query.message, {
    aa: true,
    answers: [toWireRecord(since.soa)],
    edns: ednsFor(query.message),
  })
  await query.send(fits ? first.value : buildResponse(query.wire, soaAlone))
  parts.figures.transfers.inc({ kind: 'ixfr' })
}

function packed({ message, wire }: SignedQuery, records: Iterable<ResourceRecord>, maxSize?: number) {
  return transferMessages(message, wire, records, { maxSize, edns: ednsFor(message) })
}

async function sendRefusal(parts: TransferParts, query: SignedQuery): Promise<void> {
  parts.figures.transfers.inc({ kind: 'refused' })
  await query.send(answerWith(query.wire, query.message, Rcode.NOTAUTH))
}

/** The serial that the requester has (RFC 1995 §3). */
function serialIn({ authorities, questions }: Message): Serial | undefined {
  const soa = authorities.find(({ type, name }) => type === RrType.SOA && name === questions[0]?.name)
  return soa && soaFromRdata(soa.data).serial
}
