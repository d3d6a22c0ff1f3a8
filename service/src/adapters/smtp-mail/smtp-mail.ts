import { createTransport, type NodemailerError, type SMTPPoolSentMessageInfo, type Transporter } from 'nodemailer'
import { MailGivenUp, type MailOutcome, type MailServer, type OutgoingMail } from '#ports/mail.ts'
import { isPlainAddress } from './mail-address.ts'
import { outcomeOf } from './outcome.ts'

/** The time limit of an email, including the wait for a connection of the pool. */
const sendWithinMs = 30_000
const connectWithinMs = 10_000
/** Shorter than any server's own limit, so that nothing is written to a connection that the server has just closed. */
const idleMs = 5_000
const maxConnections = 5

export interface SmtpMailOptions {
  readonly host: string
  readonly port: number
  /** TLS from the first byte, STARTTLS before anything else, or none. TLS verifies the server's name. */
  readonly security: 'tls' | 'starttls' | 'none'
  readonly login?: { readonly user: string; readonly password: string } | undefined
  /** The sender of the emails. */
  readonly from: { readonly name: string; readonly address: string }
  /** 30 seconds by default. */
  readonly sendWithinMs?: number
}

/** Sends emails to one SMTP server with nodemailer, over at most five persistent connections. */
export function createSmtpMail(options: SmtpMailOptions): MailServer {
  return new SmtpMail(options)
}

class SmtpMail implements MailServer {
  readonly #from: SmtpMailOptions['from']
  readonly #withinMs: number
  readonly #transport: Transporter<SMTPPoolSentMessageInfo>

  constructor({ host, port, security, login, from, sendWithinMs: withinMs = sendWithinMs }: SmtpMailOptions) {
    this.#from = from
    this.#withinMs = withinMs
    this.#transport = createTransport({
      pool: true,
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      ...(login && { auth: { user: login.user, pass: login.password } }),
      maxConnections,
      maxRequeues: 1,
      idleTimeout: idleMs,
      dnsTimeout: connectWithinMs,
      connectionTimeout: connectWithinMs,
      greetingTimeout: connectWithinMs,
      socketTimeout: sendWithinMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  async check(): Promise<MailOutcome> {
    try {
      await this.#transport.verify()
      return { failure: null, reply: null }
    } catch (error) {
      return outcomeOf(error as NodemailerError)
    }
  }

  async send(mail: OutgoingMail): Promise<MailOutcome> {
    if (mail.signal?.aborted) throw new MailGivenUp()
    if (!isPlainAddress(mail.to)) return { failure: 'refused', reply: null }
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), this.#withinMs)
    const signal = mail.signal ? AbortSignal.any([limit.signal, mail.signal]) : limit.signal
    try {
      await this.#transport.sendMail({ ...this.#messageOf(mail), signal })
      return { failure: null, reply: null }
    } catch (error) {
      if (mail.signal?.aborted) throw new MailGivenUp()
      return limit.signal.aborted ? { failure: 'timeout', reply: null } : outcomeOf(error as NodemailerError)
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    this.#transport.close({ force: true })
  }

  #messageOf({ id, kind, to, subject, text, html, date }: OutgoingMail) {
    const { name, address } = this.#from
    return {
      from: { name, address },
      to: { name: '', address: to },
      envelope: { from: address, to },
      subject: subject.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' '),
      text,
      ...(html !== undefined && { html }),
      date,
      messageId: `<${id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
      headers: {
        // Stops automatic replies, such as absence notes (RFC 3834 §5).
        'Auto-Submitted': 'auto-generated',
        'X-Zonewright-Mail': kind,
      },
    }
  }
}
