import { readFileSync, writeFileSync } from 'node:fs'
import { groupRecords, parseZoneFile, type ResourceRecord, RrType, recordsOf } from '@zonewright/dns'
import { pick, type Random } from './random-zones.ts'
import type { SignedZone } from './sign-zones.ts'

/** Damages the file of a zone, and returns a description of the damage. There are `damageCount` kinds. */
export function breakZone({ file, origin }: SignedZone, way: number, random: Random): string {
  const signed = parseZoneFile(readFileSync(file, 'utf8'), { origin, keepsCase: true })
  // In canonical order, so that a seed damages the same record each time: dnssec-signzone writes names in any order.
  const records = groupRecords(signed.records).flatMap(recordsOf)
  const [how, damage] = damages[way % damageCount] ?? damages[0]
  const damaged = damage(records, random)
  // In the generic form, which keeps the case of names.
  const lines = damaged.map(({ name, ttl, type, data }) => {
    return `${name} ${ttl} IN TYPE${type} \\# ${data.length} ${Buffer.from(data).toString('hex')}\n`
  })
  writeFileSync(file, lines.join(''))
  return `${how} in ${origin}`
}

type Records = readonly ResourceRecord[]

/** Replaces one record for which `isOne` is true with the result of `edit`. */
function editing(isOne: (record: ResourceRecord) => boolean, edit: (data: Uint8Array) => Uint8Array | undefined) {
  return (records: Records, random: Random): Records => {
    const some = records.filter(isOne)
    if (some.length === 0) return records
    const chosen = pick(random, some)
    const data = edit(chosen.data)
    return records.flatMap((record) => (record !== chosen ? [record] : data === undefined ? [] : [{ ...record, data }]))
  }
}

const isOf =
  (...types: RrType[]) =>
  ({ type }: ResourceRecord) =>
    types.includes(type)
const flipped = (at: number) => (data: Uint8Array) =>
  data.map((byte, i) => (i === (at + data.length) % data.length ? byte ^ 1 : byte))
const with_ = (at: number, bytes: readonly number[]) => (data: Uint8Array) =>
  data.map((byte, i) => bytes[i - at] ?? byte)

type Damage = readonly [how: string, (records: Records, random: Random) => Records]

const damages: readonly [Damage, ...Damage[]] = [
  ['a signature is missing', editing(isOf(RrType.RRSIG), () => undefined)],
  [
    'all signatures of one name are missing',
    (records, random) => {
      const { name } = pick(random, records)
      return records.filter((record) => record.type !== RrType.RRSIG || record.name !== name)
    },
  ],
  ['a signature is wrong', editing(isOf(RrType.RRSIG), flipped(-1))],
  ['a signature has expired', editing(isOf(RrType.RRSIG), with_(8, [0x60, 0, 0, 0]))],
  ['a signature is early', editing(isOf(RrType.RRSIG), with_(12, [0x7f, 0, 0, 0]))],
  ['a signature is by an unknown algorithm', editing(isOf(RrType.RRSIG), with_(2, [200]))],
  ['a signature is by an unknown key', editing(isOf(RrType.RRSIG), flipped(17))],
  ['an address is another one', editing(isOf(RrType.A), flipped(3))],
  ['a text is another one', editing(isOf(RrType.TXT), flipped(-1))],
  ['a record has gone', editing(isOf(RrType.A, RrType.TXT, RrType.CNAME, RrType.NS, RrType.DS), () => undefined)],
  ['an NSEC has gone', editing(isOf(RrType.NSEC, RrType.NSEC3), () => undefined)],
  [
    'two NSECs have gone',
    (records, random) => {
      const gone = editing(isOf(RrType.NSEC, RrType.NSEC3), () => undefined)
      return gone(gone(records, random), random)
    },
  ],
  ['a DS is another one', editing(isOf(RrType.DS), flipped(-1))],
  ['a DS is by an unknown algorithm', editing(isOf(RrType.DS), with_(2, [200]))],
  ['the key is another one', editing(isOf(RrType.DNSKEY), flipped(-1))],
  ['the key may not sign the zone', editing(isOf(RrType.DNSKEY), with_(0, [0, 1]))],
]

export const damageCount = damages.length
