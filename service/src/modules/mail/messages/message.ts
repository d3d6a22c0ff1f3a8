import { displayText } from '@zonewright/contract'
import { escapeHtml } from './escape-html.ts'

/** The topics of emails. */
export type MessageKind =
  | 'finish_sign_up'
  | 'guesses_failed'
  | 'confirm_new_address'
  | 'confirm_notifications'
  | 'already_registered'
  | 'reset_password'
  | 'passkey_changed'
  | 'provider_changed'
  | 'password_changed'
  | 'pay_link'
  | 'two_factor_changed'
  | 'signed_in'
  | 'key_created'
  | 'key_expiring'
  | 'key_narrowed'
  | 'key_sent_in_clear'
  | 'key_tsig_created'
  | 'key_unused'
  | 'card_expiring'
  | 'domain_expired'
  | 'domain_expiring'
  | 'domain_gone'
  | 'domain_in_redemption'
  | 'domain_invitation'
  | 'domain_renewing'
  | 'records_removed'
  | 'renewal_to_pay'
  | 'email_changed'
  | 'endpoint_disabled'
  | 'endpoint_failing'
  | 'account_deletion'
  | 'alias_failing'
  | 'transfer_requested'
  | 'notification_address_added'
  | 'zone_contested'
  | 'zone_invitation'
  | 'zone_live'
  | 'zone_lost'
  | 'zone_proved_elsewhere'
  | 'zones_lost_below'
  | 'test'

/** The content of an email, for any recipient. */
export interface Message {
  readonly kind: MessageKind
  /** One line. */
  readonly subject: string
  readonly text: string
  /** The same content as the text. */
  readonly html: string
  /** Number of seconds after which the email is no longer worth sending. Default: as long as sending is retried. */
  readonly usefulForS?: number
}

/** A part of a message: a paragraph, a link on its own line, or facts, one per line. */
export type Block = string | Link | { readonly facts: readonly (readonly [name: string, value: string])[] }

export interface Link {
  /** What the link does, as a short command: `Confirm this address`. */
  readonly label: string
  readonly href: string
}

export interface Draft {
  readonly kind: MessageKind
  readonly subject: string
  readonly blocks: readonly Block[]
  readonly usefulForS?: number
}

/**
 * Builds text and HTML from the same blocks.
 *
 * All of it is text: escaped, on one line, and truncated if it is too long. Control and bidirectional characters appear as in `displayText`.
 * Therefore, names that customers chose can be used anywhere except in `href`.
 *
 * @throws Error if a link is not an http or https URL, which would be a bug.
 */
export function compose({ kind, subject, blocks, usefulForS }: Draft): Message {
  const title = oneLine(subject, maxSubject)
  return {
    kind,
    subject: title,
    text: `${[...blocks.map(textOf), ...footer].join('\n\n')}\n`,
    html: page(title, blocks.map(htmlOf).join('\n')),
    ...(usefulForS !== undefined && { usefulForS }),
  }
}

/** Mail programs truncate longer subjects, and RFC 5322 §2.1.1 recommends shorter lines. */
const maxSubject = 120
const maxParagraph = 1_000

/** The name at the end of a message until it is sent. Only the worker that sends it knows the name of the service. */
const ownName = 'Zonewright'

/** The separator before a signature (RFC 3676 §4.3), and the name of the service. */
const footer = [`-- \n${ownName}`]

/** A composed message with the name of the service at its end. */
export function signedBy<M extends Pick<Message, 'text' | 'html'>>(message: M, serviceName: string): M {
  const name = oneLine(serviceName)
  const [text, html] = [`-- \n${ownName}\n`, `<p>${ownName}</p>\n</body>\n</html>\n`]
  return {
    ...message,
    text: message.text.endsWith(text) ? `${message.text.slice(0, -text.length)}-- \n${name}\n` : message.text,
    html: message.html.endsWith(html)
      ? `${message.html.slice(0, -html.length)}<p>${escapeHtml(name)}</p>\n</body>\n</html>\n`
      : message.html,
  }
}

function textOf(block: Block): string {
  if (typeof block === 'string') return oneLine(block)
  if ('facts' in block) return block.facts.map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}`).join('\n')
  return `${oneLine(block.label)}:\n${webAddress(block.href)}`
}

function htmlOf(block: Block): string {
  if (typeof block === 'string') return `<p>${escapeHtml(oneLine(block))}</p>`
  if ('facts' in block) {
    const rows = block.facts.map(
      ([name, value]) => `<tr><td>${escapeHtml(oneLine(name))}:&nbsp;</td><td>${escapeHtml(oneLine(value))}</td></tr>`,
    )
    return `<table role="presentation">${rows.join('')}</table>`
  }
  return `<p><a href="${escapeHtml(webAddress(block.href))}">${escapeHtml(oneLine(block.label))}</a></p>`
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="font-family: system-ui, sans-serif; font-size: 16px; line-height: 1.5; max-width: 36rem">
${body}
<p>${ownName}</p>
</body>
</html>
`
}

function oneLine(text: string, maxLength = maxParagraph): string {
  const line = displayText(text.trim())
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`
}

function webAddress(href: string): string {
  const url = URL.parse(href)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error('an email may link only to http and https URLs')
  return url.href
}
