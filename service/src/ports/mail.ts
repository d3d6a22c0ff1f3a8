/**
 * Why a mail was not taken, in one word:
 * refused: this address or this message, for good · deferred: not now, for a reason of the server's · denied: the server does not
 * let us send at all (login, sender, relaying) · unreachable: no name, no connection, or it broke · tls: no TLS, or not with that name ·
 * timeout: no answer in time.
 */
export type MailFailure = 'refused' | 'deferred' | 'denied' | 'unreachable' | 'tls' | 'timeout'

/** One mail to one address, ready to go. */
export interface OutgoingMail {
  /** Stays the same when the mail is sent again: it makes the Message-ID, by which a repeat is recognised. */
  readonly id: string
  /** What the mail is about, as one word: filters may go by it. */
  readonly kind: string
  /** One address, and nothing but an address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** When it was written: of a repeat the same. */
  readonly date: Date
  /** Gives the mail up, without a word about the server: the process is stopping. */
  readonly signal?: AbortSignal
}

/** What came of a mail. `failure` is null once the server has taken responsibility for it (RFC 5321 §6.1), and never sooner. */
export interface MailOutcome {
  readonly failure: MailFailure | null
  /** The server's reply codes, `550 5.1.1`; never its text, which may quote the mail. Null when there was no reply. */
  readonly reply: string | null
}

/** Thrown by `send` when its signal was aborted: nobody knows whether the server has taken the mail. */
export class MailGivenUp extends Error {}

/** Hands mails to the server that delivers them. */
export interface MailServer {
  /** Hands one over, within 30 s in all. Rejects only with `MailGivenUp`. */
  send(mail: OutgoingMail): Promise<MailOutcome>
  /** Connects and logs in, and sends nothing. */
  check(): Promise<MailOutcome>
  /** Breaks off what is under way. */
  close(): Promise<void>
}
