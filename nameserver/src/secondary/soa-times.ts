import { type RecordData, type Serial, toSerial } from '@zonewright/dns'

/** The fields of an SOA that a secondary uses: the serial, and the times in seconds (RFC 1034 §4.3.5). */
export interface SoaTimes {
  readonly serial: Serial
  readonly refresh: number
  readonly retry: number
  readonly expire: number
}

/** The numbers at the end of SOA data, without reading the names before them. */
export function soaTimes(data: RecordData): SoaTimes {
  const numbers = new DataView(data.buffer, data.byteOffset + data.length - 20, 20)
  return {
    serial: toSerial(numbers.getUint32(0)),
    refresh: numbers.getUint32(4),
    retry: numbers.getUint32(8),
    expire: numbers.getUint32(12),
  }
}
