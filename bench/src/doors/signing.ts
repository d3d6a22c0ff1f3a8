import { createHmac } from 'node:crypto'
import { parseName, type TsigKey } from '@zonewright/dns'

/** The keys of a comma-separated list of `NAME:SECRET`. */
export function readKeys(text: string): TsigKey[] {
  return text.split(',').map((each) => {
    const [name = '', secret = ''] = each.split(':')
    return {
      name: parseName(`${name}.`),
      algorithm: 'hmac-sha256',
      secret: new Uint8Array(Buffer.from(secret, 'base64')),
    }
  })
}

export function hmac(algorithm: string, key: Uint8Array, data: Uint8Array): Uint8Array {
  return createHmac(algorithm.slice('hmac-'.length), key).update(data).digest()
}
