import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'

/** A certificate and its private key, both PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** When a certificate is valid. */
export interface Validity {
  readonly validFrom?: Date
  readonly validUntil?: Date
}

/** A throwaway certificate authority. */
export interface Authority {
  /** Its own certificate, PEM, which clients have to trust. */
  readonly cert: string
  /** Issues a server certificate for host names and IP addresses; valid for ten years, unless `validity` says otherwise. */
  issue(hosts: readonly string[], validity?: Validity): Certificate
  /** Creates an authority below this one, with an intermediate certificate that is valid for ten years, unless `validity` says otherwise. */
  issueAuthority(name: string, validity?: Validity): Authority
  /** Issues a certificate with which a client authenticates under this name. */
  issueClient(name: string): Certificate
}

const validDays = 3_650

/** Creates an authority whose key is only in memory. ECDSA on P-256, X.509 version 3 (RFC 5280). */
export function createAuthority(name: string): Authority {
  return authority(name)
}

/** Creates a self-signed server certificate. */
export function createSelfSigned(hosts: readonly string[]): Certificate {
  return leaf(undefined, hosts[0] ?? 'server', serverAuth, { hosts })
}

/** @param parent signs its certificate; without one it signs its own */
function authority(name: string, parent?: Issuer, validity: Validity = {}): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = { name, key: keys.privateKey, keyId: keyIdOf(keys.publicKey) }
  const extensions = authorityExtensions(own.keyId, (parent ?? own).keyId)
  return {
    cert: certificate(parent ?? own, { name, publicKey: keys.publicKey, extensions, ...validity }),
    issue: (hosts, validity = {}) => leaf(own, hosts[0] ?? 'server', serverAuth, { hosts, ...validity }),
    issueAuthority: (name, validity = {}) => authority(name, own, validity),
    issueClient: (name) => leaf(own, name, clientAuth, { hosts: [] }),
  }
}

/** Purposes (RFC 5280 §4.2.1.12). */
const serverAuth = '1.3.6.1.5.5.7.3.1'
const clientAuth = '1.3.6.1.5.5.7.3.2'

/** @param issuer undefined: it is signed with its own key */
function leaf(
  issuer: Issuer | undefined,
  name: string,
  purpose: string,
  { hosts, ...validity }: { hosts: readonly string[] } & Validity,
): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signer = issuer ?? { name, key: privateKey, keyId: keyIdOf(publicKey) }
  const extensions = leafExtensions(purpose, hosts, keyIdOf(publicKey), signer.keyId)
  return {
    cert: certificate(signer, { name, publicKey, extensions, ...validity }),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

interface Issuer {
  readonly name: string
  readonly key: KeyObject
  readonly keyId: Buffer
}

interface Subject extends Validity {
  readonly name: string
  readonly publicKey: KeyObject
  readonly extensions: readonly Buffer[]
}

/** RFC 5280 §4.1: the signed part, the algorithm, the signature. */
function certificate(issuer: Issuer, subject: Subject): string {
  const untilMs = subject.validUntil?.getTime() ?? Date.now() + validDays * 86_400_000
  const fromMs = subject.validFrom?.getTime() ?? Math.min(Date.now(), untilMs) - 86_400_000
  const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))
  const signed = sequence(
    explicit(0, integer(Buffer.of(2))), // version 3
    integer(Buffer.concat([Buffer.of(0x01), randomBytes(15)])),
    ecdsaWithSha256,
    commonName(issuer.name),
    sequence(time(fromMs), time(untilMs)),
    commonName(subject.name),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...subject.extensions)),
  )
  return pem('CERTIFICATE', sequence(signed, ecdsaWithSha256, bitString(sign('sha256', signed, issuer.key))))
}

function authorityExtensions(keyId: Buffer, issuerKeyId: Buffer): Buffer[] {
  return [
    extension('2.5.29.19', true, sequence(yes)), // basicConstraints: an authority
    extension('2.5.29.15', true, der(0x03, Buffer.of(1, 0b0000_0110))), // keyUsage: keyCertSign, cRLSign
    extension('2.5.29.14', false, octetString(keyId)), // subjectKeyIdentifier
    // authorityKeyIdentifier, of one that is not its own issuer
    ...(keyId === issuerKeyId ? [] : [extension('2.5.29.35', false, sequence(der(0x80, issuerKeyId)))]),
  ]
}

function leafExtensions(purpose: string, hosts: readonly string[], keyId: Buffer, issuerKeyId: Buffer): Buffer[] {
  return [
    extension('2.5.29.19', true, sequence()), // basicConstraints: no authority
    extension('2.5.29.15', true, der(0x03, Buffer.of(7, 0b1000_0000))), // keyUsage: digitalSignature
    extension('2.5.29.37', false, sequence(oid(purpose))), // extendedKeyUsage
    extension('2.5.29.14', false, octetString(keyId)),
    extension('2.5.29.35', false, sequence(der(0x80, issuerKeyId))), // authorityKeyIdentifier
    ...(hosts.length > 0 ? [extension('2.5.29.17', false, sequence(...hosts.map(subjectName)))] : []), // subjectAltName
  ]
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(oid(id), ...(critical ? [yes] : []), octetString(value))
}

/** A dNSName or an iPAddress (RFC 5280 §4.2.1.6). */
function subjectName(host: string): Buffer {
  if (isIP(host) === 0) return der(0x82, Buffer.from(host, 'ascii'))
  return der(0x87, isIPv4(host) ? Buffer.from(host.split('.').map(Number)) : ipv6Bytes(host))
}

function ipv6Bytes(text: string): Buffer {
  const [head = '', tail] = text.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0')
  const bytes = Buffer.alloc(16)
  for (const [i, group] of [...before, ...middle, ...after].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), i * 2)
  return bytes
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(name, 'utf8')))))
}

/** Method 1 of RFC 5280 §4.2.1.2: SHA-1 of the public key's bit string, here of the whole key structure, as allowed. */
function keyIdOf(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
}

/** UTCTime up to 2049, GeneralizedTime after (RFC 5280 §4.1.2.5). */
function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

// Below: DER (X.690), as far as it is needed here.

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content])
  const bytes = length < 0x100 ? Buffer.of(length) : Buffer.of(length >> 8, length & 0xff)
  return Buffer.concat([Buffer.of(tag, 0x80 | bytes.length), bytes, content])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function explicit(tag: number, content: Buffer): Buffer {
  return der(0xa0 | tag, content)
}

/** A positive integer, given as big-endian bytes of which the first bit is zero. */
function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes)
}

/** The boolean value true. */
const yes = der(0x01, Buffer.of(0xff))

function octetString(content: Buffer): Buffer {
  return der(0x04, content)
}

function bitString(content: Buffer): Buffer {
  return der(0x03, Buffer.concat([Buffer.of(0), content]))
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80)
  return digits
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
