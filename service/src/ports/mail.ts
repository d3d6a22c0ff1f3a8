/**
 * Why an email was not accepted, in one word:
 * refused: this address or this message, permanently · deferred: temporarily, for a reason of the server · denied: the server does not let
 * us send at all (login, sender, relaying) · unreachable: no name or no connection, or it broke · tls: no TLS, or not with that name ·
 * timeout: no answer in time.
 */
export type MailFailure = 'refused' | 'deferred' | 'denied' | 'unreachable' | 'tls' | 'timeout'

/** One email to one address, ready to be sent. */
export interface OutgoingMail {
  /** The same for every attempt: it becomes the Message-ID, by which a repeat is recognized. */
  readonly id: string
  /** The kind of the email, as one word, for filters. */
  readonly kind: string
  /** One address, without a name. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** When it was written; the same for every attempt. */
  readonly date: Date
  /** Aborts the email, which says nothing about the server: the process is stopping. */
  readonly signal?: AbortSignal
}

/** The outcome of an email. `failure` is null only once the server has taken responsibility for it (RFC 5321 §6.1). */
export interface MailOutcome {
  readonly failure: MailFailure | null
  /** The server's reply codes, `550 5.1.1`, but never its text, which may quote the email. Null if there was no reply. */
  readonly reply: string | null
}

/** Thrown by `send` if its signal was aborted: it is unknown whether the server has accepted the email. */
export class MailGivenUp extends Error {}

/** Passes emails to the server that delivers them. */
export interface MailServer {
  /** Sends one email, within 30 s in total. Rejects only with `MailGivenUp`. */
  send(mail: OutgoingMail): Promise<MailOutcome>
  /** Connects and logs in, but sends nothing. */
  check(): Promise<MailOutcome>
  /** Aborts everything in progress. */
  close(): Promise<void>
}
