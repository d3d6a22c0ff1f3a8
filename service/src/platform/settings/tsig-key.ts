import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { parseName, type TsigKey } from '@zonewright/dns'
import { keptSecret } from './kept-secret.ts'

/** A TSIG key as text and as the DNS library takes it. */
export interface TsigKeyText {
  /** `hmac-sha256:NAME:BASE64`, as `dig -y` takes it. */
  readonly text: string
  readonly key: TsigKey
}

/** @throws Error with what is wrong. The secret is never part of the message. */
export function parseTsigKey(text: string): TsigKeyText {
  const [algorithm, name, secret, ...more] = text.trim().split(':')
  if (algorithm !== 'hmac-sha256' || !name || !secret || more.length > 0)
    throw new Error('must have the form hmac-sha256:NAME:BASE64SECRET')
  const bytes = Buffer.from(secret, 'base64')
  if (bytes.length < 16) throw new Error('the secret must have at least 16 bytes, in base64')
  return {
    text: text.trim(),
    key: { name: parseName(`${name.replace(/\.$/, '')}.`), algorithm: 'hmac-sha256', secret: new Uint8Array(bytes) },
  }
}

/** The file in a data directory with the key that signs everything between primary and nameservers. */
export function tsigKeyFile(dataDir: string): string {
  return join(dataDir, 'tsig.key')
}

/** That key as text; created if it does not exist yet. */
export function keptTsigKey(dataDir: string): string {
  const make = (): string => `hmac-sha256:zonewright-transfer:${randomBytes(32).toString('base64')}`
  return keptSecret(tsigKeyFile(dataDir), make)
}
