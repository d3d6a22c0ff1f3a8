declare const brand: unique symbol

/** A zone serial: 32 bits, ordered around a circle (RFC 1982). Never compare two with `<`. */
export type Serial = number & { readonly [brand]: 'Serial' }

/** The number modulo 2³². */
export function toSerial(n: number): Serial {
  return (n >>> 0) as Serial
}

/** Whether `a` comes after `b`. If two serials are exactly 2³¹ apart, neither comes after the other (RFC 1982 §3.2 does not define this case). */
export function serialNewer(a: Serial, b: Serial): boolean {
  const ahead = (a - b) >>> 0
  return ahead !== 0 && ahead < 0x80000000
}
