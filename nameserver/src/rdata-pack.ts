import type { RecordData } from '@zonewright/dns'

/** The records of one rrset in one piece: each behind its length in two bytes. */
export function packData(data: readonly RecordData[]): Uint8Array {
  const packed = new Uint8Array(data.reduce((sum, record) => sum + 2 + record.length, 0))
  let at = 0
  for (const record of data) {
    packed[at] = record.length >> 8
    packed[at + 1] = record.length & 0xff
    packed.set(record, at + 2)
    at += 2 + record.length
  }
  return packed
}

/** The reverse of {@link packData}; `undefined` when the lengths do not come out even. */
export function unpackData(packed: Uint8Array): RecordData[] | undefined {
  const data: RecordData[] = []
  let at = 0
  while (at < packed.length) {
    const start = at + 2
    const end = start + (((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0))
    if (end > packed.length) return undefined
    data.push(packed.subarray(start, end))
    at = end
  }
  return data
}
