/** Room for any address. */
export const maxAddressBytes = 16

/**
 * Writes the bytes of an IP address in any form of RFC 4291 §2.2, without its zone index (`%eth0`). Allocates nothing. The text must be valid, as
 * checked by the system or `isIP`.
 *
 * @returns how many bytes it has, 4 or 16.
 */
export function writeAddress(text: string, target: DataView, at: number): number {
  if (!text.includes(':')) {
    writeIpv4(text, 0, target, at)
    return 4
  }
  writeIpv6(text, target, at)
  return 16
}

/** Returns the bytes of an address, as `writeAddress` writes them, in a new view. */
export function addressView(text: string): DataView<ArrayBuffer> {
  const room = new DataView(new ArrayBuffer(maxAddressBytes))
  return new DataView(room.buffer, 0, writeAddress(text, room, 0))
}

const [dot, colon, percent] = [0x2e, 0x3a, 0x25]

function writeIpv4(text: string, from: number, target: DataView, at: number): void {
  let next = at
  let octet = 0
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === percent) break
    if (code === dot) {
      target.setUint8(next++, octet)
      octet = 0
    } else {
      octet = octet * 10 + code - 0x30
    }
  }
  target.setUint8(next, octet)
}

function writeIpv6(text: string, target: DataView, at: number): void {
  const end = at + 16
  for (let byte = at; byte < end; byte += 4) target.setInt32(byte, 0)
  let next = at
  let gap = -1
  for (let index = 0; index < text.length && text.charCodeAt(index) !== percent; ) {
    if (text.charCodeAt(index) === colon) {
      if (text.charCodeAt(index + 1) === colon) gap = next
      index += gap === next ? 2 : 1
      continue
    }
    let hextet = 0
    let past = index
    for (; isHexDigit(text.charCodeAt(past)); past++) hextet = (hextet << 4) | hexDigit(text.charCodeAt(past))
    if (text.charCodeAt(past) === dot) {
      writeIpv4(text, index, target, next)
      next += 4
      break
    }
    target.setUint16(next, hextet)
    next += 2
    index = past
  }
  if (gap < 0) return
  // Move what was written after `::` to the end.
  for (let from = next - 2, to = end - 2; from >= gap; from -= 2, to -= 2) {
    target.setUint16(to, target.getUint16(from))
    if (to !== from) target.setUint16(from, 0)
  }
}

function isHexDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)
}

function hexDigit(code: number): number {
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57
}
