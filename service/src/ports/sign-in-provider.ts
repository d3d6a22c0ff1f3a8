/**
 * A sign-in provider, such as Google: it identifies the person at a browser.
 *
 * What every caller must know:
 * - `begin` and `finish` never reject. They ask the provider, so call them outside transactions.
 * - A person is who the provider calls `subject`. Addresses change owners, and do not identify a person.
 */
export interface SignInProvider {
  /** In requests of the dashboard: `google`. */
  readonly id: string
  /** The name that people know: `Google`. */
  readonly name: string
  /** Its subjects are unique within it. Two providers have different issuers. */
  readonly issuer: string
  /** Where to send the browser, and what to keep until it is back. */
  begin(returnUrl: string): Promise<BegunSignIn | ProviderAway>
  /** Identifies the person who came back. `kept` must be from the same browser, and `returnUrl` the same as when it was sent there. */
  finish(kept: KeptSignIn, returnUrl: string, answer: ProviderAnswer): Promise<FinishedSignIn>
}

/** The providers of an installation, in the order in which they are shown. */
export interface SignInProviders {
  readonly all: readonly SignInProvider[]
  close(): Promise<void>
}

/** The secret that connects the response to the request. Only the browser's cookie may contain it. */
export interface KeptSignIn {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

export interface BegunSignIn {
  readonly kind: 'begun'
  readonly url: string
  readonly kept: KeptSignIn
}

/** Parameters with which the provider sent the browser back. */
export interface ProviderAnswer {
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

/** A person whom the provider has signed in. */
export interface ProvedPerson {
  readonly subject: string
  /** In lower case. Undefined: the provider returns none, or does not report it as verified. */
  readonly email: string | undefined
  /** May be empty. */
  readonly name: string
}

/** The provider did not answer in time, or not as it should: trying again later may help. `why` is for the log. */
export interface ProviderAway {
  readonly kind: 'away'
  readonly why: string
}

/**
 * `declined`: the person did not continue at the provider. `refused`: the answer proves nothing, because it is forged, of another sign-in,
 * too old, or not for us.
 */
export type FinishedSignIn =
  | { readonly kind: 'proved'; readonly person: ProvedPerson }
  | { readonly kind: 'declined' }
  | { readonly kind: 'refused'; readonly why: string }
  | ProviderAway
