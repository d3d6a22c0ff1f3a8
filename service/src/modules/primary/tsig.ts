import { createHmac } from 'node:crypto'
import { type Hmac, nameToWire, type TsigKey, tsigAlgorithms } from '@zonewright/dns'

/** The keyed hash that `@zonewright/dns` leaves to its callers. */
export const hmac: Hmac = (algorithm, key, data) => createHmac(algorithm.slice(5), key).update(data).digest()

/** Seconds since 1970, as TSIG writes them. A signature's time is between two machines: it is no deadline of ours. */
export function unixSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Bytes that signing adds to a message (RFC 8945 §4.2). */
export function tsigBytes(key: TsigKey): number {
  const { name, macBytes } = tsigAlgorithms[key.algorithm]
  const recordHeader = 10
  const fixedFields = 16
  return nameToWire(key.name).length + recordHeader + nameToWire(name).length + fixedFields + macBytes
}
