import { DnsFault, quoteInput } from '../faults.ts'
import type { WireReader } from '../wire-reader.ts'
import type { Words } from '../words.ts'
import type { Field } from './field.ts'

/**
 * A place on earth: `42 21 54.000 N 71 6 18.000 W -24.00m 30m 10000m 10m` (RFC 1876 §3).
 *
 * Size and precisions have one significant digit on the wire: further digits are dropped, as every server does.
 */
export function location(): Field {
  return {
    parse: (words, out) => {
      const latitude = parseAngle(words, 'latitude', 90, ['N', 'S'])
      const longitude = parseAngle(words, 'longitude', 180, ['E', 'W'])
      const altitude = centimetres(words.plain(), 'altitude') + sphereDepth
      if (altitude < 0 || altitude > 0xffffffff) {
        throw new DnsFault('bad_rdata', 'the altitude is not within -100000m and 42849672.95m')
      }
      out.u8(version)
      for (const [what, usual] of extents) out.u8(words.left > 0 ? parseExtent(words.plain(), what) : usual)
      out.u32(latitude)
      out.u32(longitude)
      out.u32(altitude)
    },
    print: (wire) => {
      if (wire.wire[wire.at] !== version) return undefined
      wire.skip(1)
      const sizes = extents.map(() => extentText(wire.u8()))
      const [latitude, longitude] = [angleText(wire.u32(), 'N', 'S'), angleText(wire.u32(), 'E', 'W')]
      return `${latitude} ${longitude} ${metres(wire.u32() - sphereDepth)}m ${sizes.join(' ')}`
    },
    skip: (wire) => {
      // The meaning of other versions is unknown, and must not be assumed (RFC 1876 §2).
      if (wire.u8() !== version) wire.skip(wire.left)
      else skipVersion0(wire)
    },
  }
}

const version = 0
/** The zero point of latitude and longitude, which count thousandths of an arc second. */
const middle = 0x80000000
/** The zero point of the altitude: this many centimeters below the reference spheroid. */
const sphereDepth = 10_000_000

/** The three extents, in the order of both forms, with their defaults: 1 m, 10,000 m and 10 m. */
const extents: readonly (readonly [what: string, usual: number])[] = [
  ['size', 0x12],
  ['horizontal precision', 0x16],
  ['vertical precision', 0x13],
]

function parseAngle(words: Words, what: string, maxDegrees: number, [positive, negative]: [string, string]): number {
  const parts: string[] = []
  let word = words.plain()
  while (/^\d/.test(word) && parts.length < 3) {
    parts.push(word)
    word = words.plain()
  }
  const [degrees = '', minutes = '0', seconds = '0'] = parts
  const direction = word.toUpperCase()
  const isWritten = /^\d{1,3}$/.test(degrees) && /^[0-5]?\d$/.test(minutes) && /^[0-5]?\d(?:\.\d{1,3})?$/.test(seconds)
  const angle = Number(degrees) * 3_600_000 + Number(minutes) * 60_000 + Math.round(Number(seconds) * 1000)
  if (!isWritten || angle > maxDegrees * 3_600_000 || (direction !== positive && direction !== negative)) {
    const written = [...parts, word].join(' ')
    throw new DnsFault('bad_rdata', `the ${what} ${quoteInput(written)} is not such as \`42 21 54.5 ${positive}\``)
  }
  return direction === positive ? middle + angle : middle - angle
}

function angleText(value: number, positive: string, negative: string): string {
  const angle = Math.abs(value - middle)
  const [degrees, minutes] = [Math.floor(angle / 3_600_000), Math.floor(angle / 60_000) % 60]
  const seconds = ((angle % 60_000) / 1000).toFixed(3)
  return `${degrees} ${minutes} ${seconds} ${value >= middle ? positive : negative}`
}

function centimetres(text: string, what: string): number {
  if (/^-?\d{1,8}(?:\.\d{1,2})?m?$/i.test(text)) return Math.round(Number.parseFloat(text) * 100)
  throw new DnsFault('bad_rdata', `the ${what} ${quoteInput(text)} is not such as \`30m\` or \`12.34m\``)
}

function metres(centimetres: number): string {
  return (centimetres / 100).toFixed(2)
}

/** One byte: a digit and the power of ten by which it is multiplied, in centimeters. */
function parseExtent(text: string, what: string): number {
  const whole = centimetres(text, what)
  if (whole < 0) throw new DnsFault('bad_rdata', `the ${what} is below 0m`)
  const digits = String(whole)
  return whole === 0 ? 0 : (Number(digits.charAt(0)) << 4) | (digits.length - 1)
}

function extentText(value: number): string {
  const whole = (value >> 4) * 10 ** (value & 15)
  return whole < 100 ? `${metres(whole)}m` : `${whole / 100}m`
}

function skipVersion0(wire: WireReader): void {
  for (const _ of extents) {
    const extent = wire.u8()
    const [digit, power] = [extent >> 4, extent & 15]
    if (digit > 9 || power > 9 || (digit === 0 && power > 0)) {
      throw new DnsFault(wire.code, 'A size or precision of LOC is malformed.')
    }
  }
  const [latitude, longitude] = [wire.u32(), wire.u32()]
  if (Math.abs(latitude - middle) > 90 * 3_600_000 || Math.abs(longitude - middle) > 180 * 3_600_000) {
    throw new DnsFault(wire.code, 'A place of LOC is not on earth.')
  }
  wire.skip(4)
}
