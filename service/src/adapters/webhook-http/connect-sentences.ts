import { codeOf, shownText } from './failure.ts'
import type { Target } from './guard.ts'

/** Why a host name could not be looked up, as a sentence. */
export function lookUpSentence(host: string, error: unknown): string {
  const code = codeOf(error)
  if (code === 'ETIMEOUT') return `The DNS servers for ${shownText(host)} did not answer in time.`
  if (code === 'ESERVFAIL') return `The DNS lookup of ${shownText(host)} failed: the answer was SERVFAIL.`
  if (code === 'EREFUSED') return `The DNS lookup of ${shownText(host)} failed: the answer was REFUSED.`
  return `The DNS lookup of ${shownText(host)} failed.`
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'reset the connection before the TLS handshake',
  ECONNABORTED: 'reset the connection before the TLS handshake',
  EHOSTUNREACH: 'is unreachable: there is no route to the host',
  EHOSTDOWN: 'is unreachable: the host is down',
  ENETUNREACH: 'is unreachable: there is no route to its network',
  ENETDOWN: 'is unreachable: the network is down',
  ETIMEDOUT: 'did not accept a connection in time',
  EACCES: 'is unreachable: the network forbids the connection',
  EPERM: 'is unreachable: the network forbids the connection',
}

/** Why there is no TCP connection, as a sentence. With several addresses the first one's reason is given. */
export function connectSentence({ host, port }: Target, error: Error): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const code = codeOf(first) ?? codeOf(error)
  const reason = (code && reasons[code]) ?? `could not be reached${code ? ` (${code})` : ''}`
  return `${shownText(host)} ${reason} (port ${port}).`
}

/** Why a connection broke between the request and the end of the response headers. */
export function brokenSentence(error: Error | undefined, hasBegun: boolean): string {
  const when = hasBegun ? 'in the middle of the response headers' : 'without answering'
  const code = codeOf(error)
  if (error === undefined) return `The receiver closed the connection ${when}.`
  if (code === 'ECONNRESET' || code === 'EPIPE') return `The receiver reset the connection ${when}.`
  return `The connection to the receiver broke${code ? ` (${code})` : ''} ${hasBegun ? when : 'before it answered'}.`
}
