import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { bytesOf, codeOf, quoted, shownText } from './failure.ts'
import type { Target } from './guard.ts'

/** Maximum number of a certificate's names that a sentence lists. */
const maxNames = 3

/** What is wrong with the certificate of a connection that is not authorized, as a sentence. */
export function certificateSentence(socket: TLSSocket, { host }: Target): string {
  const certificate = socket.getPeerX509Certificate()
  const code = String(socket.authorizationError)
  if (certificate === undefined) return 'The receiver sent no certificate.'
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return expired(certificate)
    case 'CERT_NOT_YET_VALID':
      return notYetValid(certificate)
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return `The certificate is for ${namesOf(certificate)}.`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return 'The certificate is self-signed.'
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return `The certificate was issued by an authority that is not trusted, ${nameIn(rootOf(certificate).subject)}.`
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `The certificate chain is incomplete or not trusted: the certificate of ${nameIn(rootOf(certificate).issuer)} is missing. The receiver must send all intermediate certificates.`
    case 'INVALID_PURPOSE':
      return 'The certificate is not meant for servers.'
    case 'CERT_REVOKED':
      return 'The certificate has been revoked.'
    case 'CERT_SIGNATURE_FAILURE':
      return 'The signature of the certificate is not valid.'
    case 'EE_KEY_TOO_SMALL':
    case 'CA_KEY_TOO_SMALL':
      return 'The key of the certificate is too short.'
    case 'CA_MD_TOO_WEAK':
      return 'The certificate is signed with an algorithm that is too weak.'
    default:
      return `The certificate of ${shownText(host)} was not accepted (${shownText(code)}).`
  }
}

const noCommonVersion = 'The receiver supports no TLS version that the service does: it needs TLS 1.2 or 1.3.'

/** Sentences by OpenSSL's reason, as Node names it after `ERR_SSL_`. */
const handshakes: readonly [reason: RegExp, sentence: (target: Target) => string][] = [
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|RECORD_TOO_SMALL|BAD_RECORD_TYPE|RECORD_LAYER_FAILURE|INVALID_RECORD/,
    ({ port }) => `The receiver does not speak TLS on port ${port}: what it sent is not TLS.`,
  ],
  [/UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|VERSION_TOO_LOW|LEGACY_VERSION/, () => noCommonVersion],
  [/NO_APPLICATION_PROTOCOL/, () => 'The receiver does not offer HTTP/1.1 over TLS (ALPN); it may speak only HTTP/2.'],
  [/UNRECOGNIZED_NAME/, ({ host }) => `The receiver does not know the name ${shownText(host)}.`],
  [
    /CERTIFICATE_REQUIRED|ALERT_BAD_CERTIFICATE/,
    () => 'The receiver asks for a client certificate, which the service does not have.',
  ],
  [
    /HANDSHAKE_FAILURE|NO_SHARED_CIPHER|INSUFFICIENT_SECURITY/,
    () =>
      'The receiver ended the TLS handshake with "handshake failure": it may support no cipher that the service does, or ask for a client certificate.',
  ],
  [
    /DH_KEY_TOO_SMALL|BAD_ECPOINT|WRONG_CURVE|WRONG_SIGNATURE_TYPE/,
    () => 'The key exchange of the receiver is too weak or not supported.',
  ],
]

/** Why a TLS handshake failed, as a sentence. */
export function handshakeSentence(target: Target, error: Error): string {
  const code = codeOf(error)
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === undefined)
    return 'The receiver closed the connection during the TLS handshake.'
  return tlsSentence(target, error) ?? `The TLS handshake failed (${shownText(code)}).`
}

/** Undefined: the error is not one of TLS. */
export function tlsSentence(target: Target, error: Error): string | undefined {
  const code = codeOf(error)
  if (!code?.startsWith('ERR_SSL_') && !code?.startsWith('ERR_TLS_')) return undefined
  const known = handshakes.find(([reason]) => reason.test(code))
  return known ? known[1](target) : `The TLS connection failed (${shownText(code)}).`
}

function expired(leaf: X509Certificate): string {
  const old = chainOf(leaf).find(({ validToDate }) => validToDate.getTime() < Date.now())
  if (old === undefined || old === leaf) return `The certificate expired on ${dayOf(leaf.validToDate)}.`
  return `A certificate of the chain, ${nameIn(old.subject)}, expired on ${dayOf(old.validToDate)}.`
}

function notYetValid(leaf: X509Certificate): string {
  const early = chainOf(leaf).find(({ validFromDate }) => validFromDate.getTime() > Date.now())
  if (early === undefined || early === leaf) return `The certificate is not valid before ${dayOf(leaf.validFromDate)}.`
  return `A certificate of the chain, ${nameIn(early.subject)}, is not valid before ${dayOf(early.validFromDate)}.`
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** The certificates that the receiver sent, its own first. */
function chainOf(leaf: X509Certificate): X509Certificate[] {
  const chain: X509Certificate[] = []
  for (let at: X509Certificate | undefined = leaf; at && chain.length < 10; at = at.issuerCertificate) {
    if (chain.some(({ fingerprint256 }) => fingerprint256 === at?.fingerprint256)) break
    chain.push(at)
  }
  return chain
}

function rootOf(leaf: X509Certificate): X509Certificate {
  return chainOf(leaf).at(-1) ?? leaf
}

/** The hosts that a certificate is for (RFC 9525). Old certificates have them only in the subject. */
function namesOf({ subjectAltName, subject }: X509Certificate): string {
  // Node writes a name that holds anything unusual as a JSON string.
  const names = [...(subjectAltName ?? '').matchAll(/(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g)]
    .map(([, name = '']) => (name.startsWith('"') ? (JSON.parse(name) as string) : name))
    .map((name) => shownText(bytesOf(name)))
  if (names.length === 0) {
    const name = commonName(subject)
    return name === undefined ? 'no host: it names none' : shownText(bytesOf(name))
  }
  const listed = names.slice(0, maxNames).join(', ')
  return names.length > maxNames ? `${listed} and ${names.length - maxNames} more names` : listed
}

function commonName(subject: string): string | undefined {
  return /^CN=(.*)$/m.exec(subject)?.[1]
}

/** The name of a subject or an issuer: its common name, otherwise its organization. */
function nameIn(subject: string): string {
  const name = commonName(subject) ?? /^O=(.*)$/m.exec(subject)?.[1]
  return name === undefined ? 'an unnamed authority' : quoted(bytesOf(name))
}
