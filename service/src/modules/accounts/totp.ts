import { createHmac, timingSafeEqual } from 'node:crypto'

/** Length of a period, and how many periods a phone's clock may be off (RFC 6238 §5.2). */
export const periodS = 30
const tolerance = 1
const digits = 6

/** The shared secret as text, in the form that authenticators accept (RFC 4648 §6, without padding). */
export function fromBase32(text: string): string {
  let bits = ''
  for (const letter of text.toUpperCase().replaceAll('=', ''))
    bits += base32.indexOf(letter).toString(2).padStart(5, '0')
  return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join('')
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A code of the authenticator, as a person types it; spaces are ignored. Undefined: it does not have the form of a code. */
export function asTotp(text: string): string | undefined {
  const plain = text.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(plain) ? plain : undefined
}

/** The period of this code, counted since 1970, or undefined if the code is not currently valid (RFC 6238). */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  const now = Math.floor(nowMs / 1000 / periodS)
  for (let step = now - tolerance; step <= now + tolerance; step++)
    if (timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code))) return step
  return undefined
}

/** The code of a period (RFC 4226 §5.3). */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac[mac.length - 1] ?? 0) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}
