import { z } from 'zod'
import type { KeptSignIn } from '#ports/sign-in-provider.ts'
import type { AuthSecrets } from './auth-secrets.ts'
import { OwnCookie } from './own-cookie.ts'

/** How long a person may take to sign in at the provider. */
const stateLifetimeS = 10 * 60

/** A sign-in in progress at a provider. */
export interface ProviderState extends KeptSignIn {
  readonly issuer: string
  /** The path below `/app` to return to. */
  readonly back: string
  /** Undefined: to sign in. */
  readonly linkTo?: { readonly accountId: string; readonly sessionId: string } | undefined
}

const shape = z.object({
  for: z.literal('provider'),
  until: z.number(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  issuer: z.string(),
  back: z.string(),
  linkTo: z.object({ accountId: z.string(), sessionId: z.string() }).optional(),
})

/**
 * The cookie that ties a provider's answer to the browser that started the sign-in. It contains the whole state, encrypted, so a sign-in that is
 * never completed writes nothing.
 */
export class ProviderCookie extends OwnCookie {
  readonly #secrets: AuthSecrets

  constructor(secrets: AuthSecrets, publicUrl: string) {
    super('zonewright.provider', publicUrl, stateLifetimeS)
    this.#secrets = secrets
  }

  write(state: ProviderState, nowMs = Date.now()): Promise<string> {
    return this.#secrets.seal(JSON.stringify({ ...state, for: 'provider', until: nowMs + stateLifetimeS * 1_000 }))
  }

  /** The same cookie as a response header. */
  async header(state: ProviderState): Promise<string> {
    const { path, maxAge, secure } = this.attributes
    return `${this.name}=${await this.write(state)}; Max-Age=${maxAge}; Path=${path}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  }

  /** Our state in a request's Cookie header; undefined if there is none, or it is too old. */
  async read(header: string | undefined | null): Promise<ProviderState | undefined> {
    const sealed = this.valueIn(header)
    if (sealed === '' || sealed.length > 4_000) return undefined
    const { data } = shape.safeParse(
      await this.#secrets
        .open(sealed)
        .then(JSON.parse)
        .catch(() => undefined),
    )
    return data === undefined || data.until <= Date.now() ? undefined : data
  }
}
