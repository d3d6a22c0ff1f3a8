import {
  type DomainName,
  lookup,
  type Message,
  type ResourceRecord,
  type Rrset,
  RrType,
  rdataToText,
  recordsOf,
  typeToText,
  type WireRecord,
  type Zone,
} from '@zonewright/dns'
import { sha1 } from './signed-zone.ts'

/** A response as text, which is equal for responses with the same meaning. */
export type AnswerText = string

/** The response of the library for a zone, with the DO bit. */
export function expectedText(zone: Zone, name: DomainName, type: RrType): AnswerText {
  const { rcode, aa, answers, authorities, additionals } = lookup(zone, name, type, sha1)
  const records = (rrsets: readonly Rrset[]) => rrsets.flatMap(recordsOf)
  return textOf(rcode, aa, [answers, authorities, additionals].map(records))
}

export function messageText({ rcode, aa, answers, authorities, additionals }: Message): AnswerText {
  return textOf(rcode, aa, [answers, authorities, additionals])
}

function textOf(
  rcode: number,
  aa: boolean,
  sections: readonly (readonly (ResourceRecord | WireRecord)[])[],
): AnswerText {
  const lines = sections.map((records) => {
    return records
      .map(({ name, ttl, type, data }) => `${name} ${ttl} ${typeToText(type)} ${rdataToText(type, data)}`)
      .sort()
  })
  return JSON.stringify({ rcode, aa, lines }, undefined, 1)
}

/** Questions that cover every part of a zone: each rrset, each name without the type, and names next to and below each name. */
export function questionsTo(zone: Zone): [DomainName, RrType][] {
  const existing = [...zone.rrsets()].map(({ name, type }): [DomainName, RrType] => [name, type])
  const names = [...new Set(existing.map(([name]) => name)), zone.origin]
  const others = names.flatMap((name): [DomainName, RrType][] => {
    const below = ['*', 'a', 'zz'].map((label) => `${label}.${name}` as DomainName)
    return [
      ...below.map((each): [DomainName, RrType] => [each, RrType.A]),
      [name, RrType.TXT],
      [name, RrType.DS],
      [name, RrType.RRSIG],
      [name, RrType.ANY],
    ]
  })
  return [...existing, ...others]
}
