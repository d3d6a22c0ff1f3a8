/**
 * Why an attempt failed, in one word (design: webhooks, "The request"):
 * the address is not public · the name has no address · no TCP connection, or it broke, or the answer is not HTTP/1.1 · no TLS, or a
 * certificate that is not accepted · more than ten seconds · a status other than 2xx · a redirect, which is never followed · response
 * headers over 64 KiB.
 */
export type FailureWord =
  | 'refused_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'status'
  | 'redirect'
  | 'too_large'

/** One signed request, ready to be sent. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /**
   * The time by `performance.now()` after which the request is no longer sent, because another worker may send it. Checked immediately before
   * the request is written, because a process that was frozen does not notice that time has passed.
   */
  readonly untilMs?: number
  /** Aborts the request, which says nothing about the receiver: the process is stopping. */
  readonly signal?: AbortSignal
}

/** The outcome of a request. `failure` is null only for a 2xx. */
export interface WebhookAnswer {
  /** The HTTP status, also for a failed attempt; null if there was none. */
  readonly status: number | null
  readonly failure: FailureWord | null
  /** Why the attempt failed, as one sentence for the endpoint's owner. Text from the receiver is escaped and truncated. Null: it succeeded. */
  readonly failureDetail: string | null
  /** The request was sent twice, because the reused connection broke before a response. */
  readonly resent: boolean
  readonly headers: Readonly<Record<string, string | string[]>> | null
  /** At most 16 KiB, read as UTF-8. It never changes the outcome. */
  readonly body: string | null
}

/** Thrown by `post` if its signal was aborted or its time to send was over: nothing is known about the receiver. */
export class GivenUp extends Error {}

/**
 * Sends webhooks to receivers on the public internet, and nowhere else.
 *
 * Never follows a redirect, never uses a proxy, never decompresses a body. A response must arrive within ten seconds in total.
 */
export interface WebhookHttp {
  /** Checks whether endpoints may have this URL. Null, or what is wrong, as a sentence for the customer. */
  refusal(url: string): Promise<string | null>
  /** Sends one POST. Rejects only with `GivenUp`. */
  post(request: WebhookRequest): Promise<WebhookAnswer>
  close(): Promise<void>
}
