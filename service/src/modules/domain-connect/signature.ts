import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { Refusal } from '#platform/errors.ts'
import type { Resolver } from '#ports/resolver.ts'
import { type ConnectRequest, refused } from './connect-request.ts'

/** The `key` parameter: one label of a name. */
const keyLabel = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i
const base64 = /^[A-Za-z0-9+/]{4,}={0,2}$/

/** Maximum number of TXT records of a key. A key of 4,096 bits in records of 255 bytes has four. */
const maxParts = 20
/** RFC 7518 §3.3. Larger ones take longer to verify than any service provider needs. */
const keyBits = { least: 2_048, most: 8_192 }

/**
 * Checks that the service provider has signed a link: RSA with SHA-256 over its query without `sig` and `key`.
 *
 * The public key is in TXT records at `key` below the `syncPubKeyDomain` of the template.
 *
 * @throws Refusal if the link is not signed or the signature is wrong, `unavailable` if the key cannot be looked up now
 */
export async function verifySignature(
  { parameters, signedText }: Pick<ConnectRequest, 'parameters' | 'signedText'>,
  keyDomain: string,
  resolver: Resolver,
): Promise<void> {
  const signature = parameters.get('sig')
  const label = parameters.get('key')
  if (signature === undefined || label === undefined)
    throw refused('unsigned', 'The service provider must sign this link, and has not. Do not trust it.')
  // A `+` that was not percent-encoded has become a space.
  const encoded = signature.replaceAll(' ', '+')
  if (!keyLabel.test(label) || !base64.test(encoded)) throw forged()
  const texts = await resolver.texts(`${label.toLowerCase()}.${keyDomain}`)
  if (texts === 'unknown')
    throw new Refusal('unavailable', `The public key of the service provider in ${keyDomain} could not be looked up.`, {
      headers: { 'retry-after': '5' },
    })
  const key = publicKeyOf(texts)
  if (key === undefined || !verify('sha256', Buffer.from(signedText), key, Buffer.from(encoded, 'base64')))
    throw forged()
}

function forged(): Refusal {
  return refused(
    'bad_signature',
    'The signature of this link is wrong: someone may have changed it. Start again at the service provider.',
  )
}

/** The key in TXT records such as `p=1,a=RS256,t=x509,d=MIIB…`, one record for each part; undefined: they contain no usable key. */
export function publicKeyOf(texts: readonly string[]): KeyObject | undefined {
  const parts = texts.map(partOf).filter((part) => part !== undefined)
  if (parts.length === 0 || parts.length > maxParts) return undefined
  if (parts.some(({ algorithm, format }) => algorithm !== 'RS256' || format !== 'x509')) return undefined
  if (new Set(parts.map(({ place }) => place)).size < parts.length) return undefined
  const encoded = parts
    .sort((a, b) => a.place - b.place)
    .map(({ data }) => data)
    .join('')
  if (!base64.test(encoded)) return undefined
  try {
    const key = createPublicKey({ key: Buffer.from(encoded, 'base64'), format: 'der', type: 'spki' })
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
    const isUsable = key.asymmetricKeyType === 'rsa' && modulusLength >= keyBits.least && modulusLength <= keyBits.most
    return isUsable ? key : undefined
  } catch {
    return undefined
  }
}

interface KeyPart {
  readonly place: number
  readonly data: string
  readonly algorithm: string
  readonly format: string
}

/** Undefined: the record is not part of a key. */
function partOf(text: string): KeyPart | undefined {
  const members = new Map(
    text.split(',').flatMap((member) => {
      const [, name, value] = /^\s*([a-z])=(.*?)\s*$/s.exec(member) ?? []
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  )
  const place = members.get('p') ?? ''
  const data = members.get('d')
  if (!/^\d{1,4}$/.test(place) || data === undefined) return undefined
  return { place: Number(place), data, algorithm: members.get('a') ?? 'RS256', format: members.get('t') ?? 'x509' }
}
