const prefix = 'whsec_'
const text = new TextEncoder()

/** The HMAC key of a secret: its text (the service's own scheme), or the bytes that its base64 encodes (Standard Webhooks). */
export function keyBytes(secret: string, kind: 'text' | 'bytes'): Uint8Array<ArrayBuffer> | undefined {
  if (!secret.startsWith(prefix)) return undefined
  if (kind === 'text') return text.encode(secret)
  try {
    return Uint8Array.from(atob(secret.slice(prefix.length)), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** HMAC-SHA256 over a head and a body, with the platform's WebCrypto. */
export async function sign(key: Uint8Array<ArrayBuffer>, head: string, body: Uint8Array): Promise<Uint8Array> {
  const headBytes = text.encode(head)
  const signed = new Uint8Array(headBytes.length + body.length)
  signed.set(headBytes)
  signed.set(body, headBytes.length)
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', hmac, signed))
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Compares in a time that does not depend on where two texts differ; their lengths are not secret. */
export function isSame(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false
  let difference = 0
  for (let i = 0; i < expected.length; i += 1) difference |= given.charCodeAt(i) ^ expected.charCodeAt(i)
  return difference === 0
}
