import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { readCoseKey } from './cose-key.ts'

/** What a passkey's answer must match: our site, and a challenge that we issued for this purpose. */
export interface ExpectedAnswer {
  /** The origin of the dashboard's pages. */
  readonly origin: string
  /** The host of the origin. */
  readonly rpId: string
  readonly isOurChallenge: (challenge: string) => boolean
}

/** What the browser sends, as bytes. */
export interface PasskeyAnswer {
  readonly credentialId: Buffer
  /** JSON that the browser has written. */
  readonly clientData: Buffer
  readonly authenticatorData: Buffer
}

/** A passkey as it is stored. */
export interface NewPasskey {
  readonly credentialId: Buffer
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer
  readonly algorithm: number
  readonly signCount: number
  readonly isSynced: boolean
}

/** The content of a verified answer. */
export interface ReadAnswer {
  readonly challenge: string
  readonly signCount: number
  readonly isSynced: boolean
}

/** The reason why an answer is refused. */
export class PasskeyFault extends Error {}

/**
 * Reads a new passkey (Web Authentication Level 3, section 7.1). Any device is accepted, so attestation is not checked.
 *
 * @throws PasskeyFault
 */
export function readNewPasskey(answer: PasskeyAnswer, expected: ExpectedAnswer): NewPasskey & { challenge: string } {
  const challenge = challengeIn(answer.clientData, 'webauthn.create', expected)
  const { signCount, isSynced, attested } = readAuthenticatorData(answer.authenticatorData, expected)
  if (attested === undefined) throw new PasskeyFault('it has no key')
  if (!attested.credentialId.equals(answer.credentialId)) throw new PasskeyFault('it has another id')
  const key = readCoseKey(attested.key)
  if (key === undefined) throw new PasskeyFault('its key is of no supported kind')
  const publicKey = keyFrom(() => createPublicKey({ key: { ...key.jwk }, format: 'jwk' }))
  const { modulusLength = 2_048 } = publicKey.asymmetricKeyDetails ?? {}
  if (modulusLength < 2_048 || modulusLength > 4_096) throw new PasskeyFault('its RSA key is too short or too long')
  return {
    challenge,
    credentialId: attested.credentialId,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    algorithm: key.algorithm,
    signCount,
    isSynced,
  }
}

/**
 * Checks a passkey's signature (Web Authentication Level 3, section 7.2). The device must have verified the person with a PIN, a finger or a face,
 * because the passkey replaces the password and the code.
 *
 * @throws PasskeyFault
 */
export function checkAnswer(
  answer: PasskeyAnswer & { readonly signature: Buffer },
  { publicKey, algorithm }: Pick<NewPasskey, 'publicKey' | 'algorithm'>,
  expected: ExpectedAnswer,
): ReadAnswer {
  const challenge = challengeIn(answer.clientData, 'webauthn.get', expected)
  const { signCount, isSynced } = readAuthenticatorData(answer.authenticatorData, expected)
  const signed = Buffer.concat([answer.authenticatorData, createHash('sha256').update(answer.clientData).digest()])
  const key = keyFrom(() => createPublicKey({ key: publicKey, type: 'spki', format: 'der' }))
  const hash = algorithm === eddsa ? null : 'sha256'
  if (!verify(hash, signed, key, answer.signature)) throw new PasskeyFault('its signature is wrong')
  return { challenge, signCount, isSynced }
}

const eddsa = -8

/** Returns the challenge. The page must be on our origin, and not in a frame of another site. */
function challengeIn(clientData: Buffer, type: string, { origin, isOurChallenge }: ExpectedAnswer): string {
  const given = parsed(clientData)
  if (given['type'] !== type) throw new PasskeyFault('it answers something else')
  if (given['origin'] !== origin || given['crossOrigin'] === true || given['topOrigin'] !== undefined)
    throw new PasskeyFault('its page is of another site')
  const { challenge } = given
  if (typeof challenge !== 'string' || !isOurChallenge(challenge))
    throw new PasskeyFault('its challenge has expired or is not ours')
  return challenge
}

function parsed(clientData: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(clientData.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Refused below.
  }
  throw new PasskeyFault('its client data is not JSON')
}

const flags = { present: 0x01, verified: 0x04, mayBeSynced: 0x08, synced: 0x10, attested: 0x40 }
/** Bytes of the authenticator data before the new key: hash, flags, counter; then AAGUID and the length of the id. */
const headBytes = 37
const idAt = headBytes + 16 + 2

/** Authenticator data (section 6.1). */
function readAuthenticatorData(data: Buffer, { rpId }: ExpectedAnswer) {
  if (data.length < headBytes) throw new PasskeyFault('its authenticator data is too short')
  if (!data.subarray(0, 32).equals(createHash('sha256').update(rpId).digest()))
    throw new PasskeyFault('it is for another site')
  const has = (flag: number): boolean => ((data[32] ?? 0) & flag) !== 0
  if (!has(flags.present) || !has(flags.verified)) throw new PasskeyFault('it did not verify the person')
  if (has(flags.synced) && !has(flags.mayBeSynced)) throw new PasskeyFault('its flags contradict each other')
  return {
    signCount: data.readUInt32BE(33),
    isSynced: has(flags.mayBeSynced),
    attested: has(flags.attested) ? attestedIn(data) : undefined,
  }
}

/** Maximum length of a credential id (section 4). */
const longestId = 1_023

function attestedIn(data: Buffer): { credentialId: Buffer; key: Buffer } {
  if (data.length < idAt) throw new PasskeyFault('its authenticator data is too short')
  const length = data.readUInt16BE(idAt - 2)
  if (length === 0 || length > longestId || data.length < idAt + length) throw new PasskeyFault('its id is too long')
  return { credentialId: data.subarray(idAt, idAt + length), key: data.subarray(idAt + length) }
}

function keyFrom(make: () => KeyObject): KeyObject {
  try {
    return make()
  } catch {
    throw new PasskeyFault('its key is not valid')
  }
}
