import type { NodemailerError } from 'nodemailer'
import type { MailFailure, MailOutcome } from '#ports/mail.ts'

/** What an error of nodemailer says about the email, and what the server replied. */
export function outcomeOf(error: NodemailerError): MailOutcome {
  return { failure: failureOf(error), reply: replyOf(error) }
}

/** Node's codes for an invalid certificate, and for a peer without TLS. */
const tlsFault = /^ERR_(?:TLS|SSL)_|CERT|^UNABLE_TO_|^CRL_|^HOSTNAME_MISMATCH$|^EPROTO$/

function failureOf(error: NodemailerError): MailFailure {
  const { code, originalCode, responseCode } = error
  // 503 is about the session, not about the email.
  if (responseCode !== undefined && ((responseCode >= 400 && responseCode < 500) || responseCode === 503))
    return 'deferred'
  if (code === 'ESOCKET' && tlsFault.test(originalCode ?? '')) return 'tls'
  switch (code) {
    case 'ETLS':
      return 'tls'
    case 'ETIMEDOUT':
      return 'timeout'
    case 'EENVELOPE':
    case 'EMESSAGE':
      return isAboutUs(error) ? 'denied' : 'refused'
    case 'EAUTH':
    case 'ENOAUTH':
      return 'denied'
    default:
      // A greeting of 554, and any other rejection before the email begins.
      return responseCode === undefined ? 'unreachable' : 'denied'
  }
}

/**
 * Whether the server refuses this service, and not only this address or message. This includes a rejected sender, and a recipient that is
 * rejected for security or policy reasons (RFC 3463 §3.8), which is how a relay requires a login. The server would then accept no email,
 * and none must be lost because of it.
 */
function isAboutUs(error: NodemailerError): boolean {
  const reply = replyOf(error)
  if (reply === null) return false
  return error.command === 'MAIL FROM' || (error.command === 'RCPT TO' && /^530|^\d+ 5\.7\./.test(reply))
}

/** `550`, or `550 5.1.1` with the enhanced code (RFC 3463). The text is omitted, because it may quote the email. */
function replyOf({ response }: NodemailerError): string | null {
  const [, code, enhanced] = /^(\d{3})(?:[ -]([245]\.\d{1,3}\.\d{1,3})\b)?/.exec(response ?? '') ?? []
  if (code === undefined) return null
  return enhanced === undefined ? code : `${code} ${enhanced}`
}
