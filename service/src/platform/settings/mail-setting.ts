import { isIP } from 'node:net'
import { readEmail } from '@zonewright/contract'

/** The SMTP server that emails are passed to. */
export interface SmtpSetting {
  readonly host: string
  readonly port: number
  /** TLS from the first byte, or by STARTTLS before anything else, or none. */
  readonly security: 'tls' | 'starttls' | 'none'
  readonly login: { readonly user: string; readonly password: string } | undefined
}

/** The sender of emails. */
export interface MailSender {
  readonly name: string
  readonly address: string
}

const shape = 'smtps://user:password@smtp.example.net:465 or smtp://smtp.example.net:587'

/**
 * Reads SMTP_URL; undefined for an empty one. Its faults never quote it: it may hold a password.
 *
 * `smtps` is TLS from the first byte (port 465, RFC 8314), `smtp` is STARTTLS (port 587) and sends nothing without it: links that sign a person in
 * are never sent in the clear. Only to this machine, or with `?tls=off`, does `smtp` work without TLS.
 */
export function parseSmtpUrl(text: string): SmtpSetting | undefined {
  if (text.trim() === '') return undefined
  const url = URL.parse(text.trim())
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.hash)
    throw new Error(`must be a URL such as ${shape}, with user and password percent-encoded`)
  const isImplicit = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const tls = tlsOf(url) ?? (isLoopback(host) ? 'off' : 'on')
  return {
    host,
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    security: isImplicit ? 'tls' : tls === 'on' ? 'starttls' : 'none',
    login: loginOf(url),
  }
}

/** Reads MAIL_FROM: `Name <address>` or an address alone. */
export function parseMailFrom(text: string): MailSender {
  const [, name = '', inBrackets, alone] = /^(?:([^<>"@\p{Cc}]*)<([^<>]*)>|([^<>]*))$/u.exec(text.trim()) ?? []
  const address = inBrackets ?? alone ?? ''
  const read = readEmail(address.trim())
  if (read.fault !== undefined)
    throw new Error(`${JSON.stringify(text)} is not an address such as Zonewright <support@example.net>: ${read.fault}`)
  return { name: name.trim(), address: read.address }
}

function tlsOf(url: URL): string | undefined {
  const { tls, ...others } = Object.fromEntries(url.searchParams)
  const isKnown = tls === undefined || ((tls === 'on' || tls === 'off') && url.protocol === 'smtp:')
  if (!isKnown || Object.keys(others).length > 0)
    throw new Error('after ? only tls=on or tls=off is allowed, and only with smtp://')
  return tls
}

function loginOf({ username, password }: URL): SmtpSetting['login'] {
  if (username === '' && password === '') return undefined
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    throw new Error('its user and password must be percent-encoded')
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
