/** What a provider does in place of an answer. `endless`: it sends without end. `html`: a page. `moved`: a redirect. */
export type AnswerFault = 'drop' | 'hang' | 'endless' | 'html' | 'moved' | 'broken'

/** The parts of a provider that can be told to misbehave. */
export type ProviderPart = 'discovery' | 'jwks' | 'token' | 'userinfo'

/** How a provider behaves. What is not said is as it should be. */
export interface ProviderBehaviour {
  readonly faults?: { readonly [Part in ProviderPart]?: AnswerFault }
  /** Members of the discovery document in place of its own. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Claims of ID tokens in place of their own; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** How ID tokens are signed: `none` not at all, `HS256` with the public key as a secret, `stranger` with a key that is not published. */
  readonly signs?: 'RS256' | 'ES256' | 'none' | 'HS256' | 'HS256-secret' | 'stranger'
  /** Claims about the person are only at the userinfo endpoint. */
  readonly hasThinTokens?: boolean
  /** The token endpoint answers after this. */
  readonly tokenWaitsFor?: Promise<void>
  /** The error with which the token endpoint refuses. */
  readonly tokenError?: string
}
