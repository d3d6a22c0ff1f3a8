import PostalMime, { type Address, type Email } from 'postal-mime'

/** The envelope of a message: its actual sender and recipients (RFC 5321 §2.3.1), whatever its headers say, and the time at which it arrived. */
export interface Envelope {
  readonly from: string
  readonly to: readonly string[]
  /** ISO 8601 with milliseconds. */
  readonly at: string
}

/** A message as shown on the page and in the JSON. */
export interface Mail {
  /** The sequence number of the email in this mailbox, from 1. */
  readonly number: number
  /** When it arrived. */
  readonly at: string
  /** From its header: `Name <address>`. */
  readonly from: string
  /** The addresses that it was delivered to. */
  readonly to: readonly string[]
  readonly subject: string
  /** The Date header; null if there is none. */
  readonly date: string | null
  readonly message_id: string | null
  readonly text: string
  readonly html: string | null
  /** Every http and https link of text and HTML, without duplicates, in their order of appearance. */
  readonly links: readonly string[]
  /** Each header, unfolded. Headers with the same name are in their original order. */
  readonly headers: Readonly<Record<string, readonly string[]>>
}

/** Puts the envelope on top of a message, as the trace headers of the last server on the way (RFC 5321 §4.4). */
export function withEnvelope({ from, to, at }: Envelope, message: Buffer): Buffer {
  const lines = [`Return-Path: <${from}>`, ...to.map((address) => `Delivered-To: <${address}>`), `X-Received-At: ${at}`]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n`), message])
}

/** Reads a message that `withEnvelope` made. */
export async function readMail(number: number, source: Buffer): Promise<Mail> {
  const email = await PostalMime.parse(source)
  // Our headers come first. A message's own headers with these names follow them.
  const end = email.headers.findIndex(({ key }) => key === 'x-received-at')
  const trace = email.headers.slice(0, end + 1)
  const own = email.headers.slice(end + 1)
  const text = email.text ?? ''
  return {
    number,
    at: trace.at(-1)?.value ?? '',
    from: textOf(email.from),
    to: trace.filter(({ key }) => key === 'delivered-to').map(({ value }) => value.replace(/^<(.*)>$/, '$1')),
    subject: email.subject ?? '',
    date: dateOf(email),
    message_id: email.messageId ?? null,
    text,
    html: email.html ?? null,
    links: linksOf(text, email.html ?? ''),
    headers: headersOf(own),
  }
}

function headersOf(headers: readonly { key: string; value: string }[]): Record<string, string[]> {
  const byName: Record<string, string[]> = Object.create(null)
  for (const { key, value } of headers) {
    byName[key] ??= []
    byName[key].push(value)
  }
  return byName
}

function textOf(address: Address | undefined): string {
  if (address?.address === undefined) return address?.name ?? ''
  return address.name === '' ? address.address : `${address.name} <${address.address}>`
}

function dateOf({ date }: Email): string | null {
  return date === undefined || Number.isNaN(Date.parse(date)) ? null : new Date(date).toISOString()
}

/** The links that a person could follow: URLs in the text, and the targets of anchors in the HTML. */
export function linksOf(text: string, html: string): string[] {
  const bare = [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(([link]) => link.replace(/[.,;:!?)\]'’”]+$/, ''))
  const anchors = [...html.matchAll(/<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)]
    .map(([, double, single]) => unescapeHtml(double ?? single ?? ''))
    .filter((link) => /^https?:\/\//.test(link))
  return [...new Set([...bare, ...anchors])]
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => characters[name] ?? entity)
}
