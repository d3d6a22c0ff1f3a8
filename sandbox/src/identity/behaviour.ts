/** What a provider does instead of responding. `endless`: it sends without end. `html`: a page. `moved`: a redirect. */
export type AnswerFault = 'drop' | 'hang' | 'endless' | 'html' | 'moved' | 'broken'

/** The parts of a provider whose behavior can be set. */
export type ProviderPart = 'discovery' | 'jwks' | 'token' | 'userinfo'

/** How a provider behaves. Everything that is left out is correct. */
export interface ProviderBehaviour {
  readonly faults?: { readonly [Part in ProviderPart]?: AnswerFault }
  /** Members that replace those of the discovery document. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Claims that replace those of ID tokens; undefined removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** How ID tokens are signed: `none` not at all, `HS256` with the public key as a secret, `stranger` with a key that is not published. */
  readonly signs?: 'RS256' | 'ES256' | 'none' | 'HS256' | 'HS256-secret' | 'stranger'
  /** Only the userinfo endpoint returns claims about the person. */
  readonly hasThinTokens?: boolean
  /** The delay of the token endpoint. */
  readonly tokenWaitsFor?: Promise<void>
  /** The error that the token endpoint returns. */
  readonly tokenError?: string
}
