/** The four bytes of a dotted IPv4 address without leading zeros, or `undefined`. */
export function parseIpv4(text: string): Uint8Array | undefined {
  if (!ipv4Form.test(text)) return undefined
  const bytes = new Uint8Array(4)
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === dot) at++
    else bytes[at] = (bytes[at] ?? 0) * 10 + code - zero
  }
  return bytes
}

const dot = 0x2e
const zero = 0x30

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4Form = new RegExp(`^${octet}(?:\\.${octet}){3}$`)

/** Dotted form of the four bytes that begin at `at`. */
export function ipv4ToText(bytes: Uint8Array, at = 0): string {
  return `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`
}

/** The sixteen bytes of an IPv6 address in any form of RFC 4291 §2.2, or `undefined`. No zone index, no brackets. */
export function parseIpv6(text: string): Uint8Array | undefined {
  const halves = text.split('::')
  if (halves.length > 2 || text.length > 50) return undefined
  const head = hextets(halves[0] ?? '', halves.length === 1)
  const tail = hextets(halves[1] ?? '', true)
  if (head === undefined || tail === undefined) return undefined
  const zeros = 8 - head.length - tail.length
  if (halves.length === 1 ? zeros !== 0 : zeros < 1) return undefined
  const bytes = new Uint8Array(16)
  for (const [index, hextet] of [...head, ...new Array<number>(zeros).fill(0), ...tail].entries()) {
    bytes[2 * index] = hextet >> 8
    bytes[2 * index + 1] = hextet
  }
  return bytes
}

function hextets(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === '') return []
  const values: number[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    // Customers paste addresses with extra zeros, such as `002001:db8::1`.
    if (/^0{0,2}[0-9a-fA-F]{1,4}$/.test(part)) {
      values.push(Number.parseInt(part, 16))
      continue
    }
    const ipv4 = mayEndInIpv4 && index === parts.length - 1 ? parseIpv4(part) : undefined
    if (ipv4 === undefined) return undefined
    const [a = 0, b = 0, c = 0, d = 0] = ipv4
    values.push(a * 256 + b, c * 256 + d)
  }
  return values
}

/** The recommended form (RFC 5952): lower-case, the longest run of zeros as `::`, `::ffff:192.0.2.1` for mapped ones. */
export function ipv6ToText(bytes: Uint8Array): string {
  const values = Array.from({ length: 8 }, (_, index) => ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0))
  if (isMappedIpv4(bytes)) return `::ffff:${ipv4ToText(bytes, 12)}`
  const zeros = longestZeros(values)
  const text = (part: number[]) => part.map((value) => value.toString(16)).join(':')
  if (zeros.length < 2) return text(values)
  return `${text(values.slice(0, zeros.start))}::${text(values.slice(zeros.start + zeros.length))}`
}

/** Whether 16 bytes are an IPv4 address in the form of a dual-stack socket (RFC 4291 §2.5.5.2). */
export function isMappedIpv4(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 12).every((byte, i) => byte === (i < 10 ? 0 : 255))
}

function longestZeros(values: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  let length = 0
  for (const [index, value] of values.entries()) {
    length = value === 0 ? length + 1 : 0
    if (length > best.length) best = { start: index - length + 1, length }
  }
  return best
}
