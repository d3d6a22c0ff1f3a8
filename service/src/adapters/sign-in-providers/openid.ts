import * as oauth from 'oauth4webapi'
import type { ProviderSetting } from '#platform/settings/providers-setting.ts'
import type { FinishedSignIn, ProvedPerson, SignInProvider } from '#ports/sign-in-provider.ts'
import { authorizationRequest, away, codeIn, over, unfinished, usableEmail, usableName } from './code-flow.ts'
import { type Ask, NoAnswer, type ProviderHttp } from './provider-http.ts'

/** Signature algorithms with a key that only the provider has. With HS256, the key would be our client secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** A provider with OpenID Connect, found by discovery. */
export function openidProvider(
  { id, name, issuer, clientId, clientSecret }: ProviderSetting,
  http: ProviderHttp,
  metadataAgeMs: number,
): SignInProvider {
  const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: 60 }
  const metadata = new Metadata(issuer, metadataAgeMs)

  async function finish(
    ask: Ask,
    kept: Parameters<SignInProvider['finish']>[0],
    returnUrl: string,
    given: Parameters<SignInProvider['finish']>[2],
  ): Promise<FinishedSignIn> {
    const server = await metadata.of(ask)
    const code = codeIn(server, client, given, kept)
    const options = over(ask, issuer)
    const asked = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authenticationTo(server, clientSecret),
      code,
      returnUrl,
      kept.codeVerifier,
      options,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, asked, {
      expectedNonce: kept.nonce,
      requireIdToken: true,
    })
    await metadata.verify(server, asked, options)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    // OpenID Connect Core, section 2.
    if (claims === undefined || !/^[\x20-\x7e]{1,255}$/.test(claims.sub))
      return { kind: 'refused', why: 'its subject is not 1 to 255 ASCII characters' }
    // Some providers return the email address only from the userinfo endpoint.
    const more =
      claims['email'] === undefined && server.userinfo_endpoint !== undefined
        ? await oauth.processUserInfoResponse(
            server,
            client,
            claims.sub,
            await oauth.userInfoRequest(server, client, tokens.access_token, options),
          )
        : claims
    const person: ProvedPerson = {
      subject: claims.sub,
      email: usableEmail(more['email'], more['email_verified']),
      name: usableName(more['name']),
    }
    return { kind: 'proved', person }
  }

  return {
    id,
    name,
    issuer,
    begin: async (returnUrl) => {
      try {
        return await http.within(async (ask) =>
          authorizationRequest(await metadata.of(ask), {
            clientId,
            returnUrl,
            scope: 'openid email profile',
            hasNonce: true,
          }),
        )
      } catch (error) {
        return away(error)
      }
    },
    finish: async (kept, returnUrl, answer) => {
      try {
        return await http.within((ask) => finish(ask, kept, returnUrl, answer))
      } catch (error) {
        return unfinished(error)
      }
    },
  }
}

/** The discovery document of a provider and its keys, which are cached for a while. */
class Metadata {
  readonly #issuer: string
  readonly #ageMs: number
  #known: { readonly server: oauth.AuthorizationServer; readonly atMs: number } | undefined
  #asking: Promise<oauth.AuthorizationServer> | undefined

  constructor(issuer: string, ageMs: number) {
    this.#issuer = issuer
    this.#ageMs = ageMs
  }

  /** Simultaneous sign-ins share one request. Throws `NoAnswer` for anything but a usable answer. */
  async of(ask: Ask): Promise<oauth.AuthorizationServer> {
    if (this.#known && performance.now() - this.#known.atMs < this.#ageMs) return this.#known.server
    this.#asking ??= this.#discover(ask).finally(() => {
      this.#asking = undefined
    })
    return await this.#asking
  }

  /**
   * Verifies the signature of the ID token in a response. The library keeps the keys for five minutes: if none of them verifies, the keys are fetched
   * once more, because the provider may have replaced them.
   */
  async verify(server: oauth.AuthorizationServer, asked: Response, options: ReturnType<typeof over>): Promise<void> {
    let hasAsked = false
    const watched = {
      ...options,
      [oauth.customFetch]: (...given: Parameters<(typeof options)[typeof oauth.customFetch]>) => {
        hasAsked = true
        return options[oauth.customFetch](...given)
      },
    }
    try {
      await oauth.validateApplicationLevelSignature(server, asked, watched)
    } catch (error) {
      if (hasAsked) throw error
      // The library caches the keys of this object, so a copy makes it fetch them again.
      const again = { ...server }
      if (this.#known?.server === server) this.#known = { ...this.#known, server: again }
      await oauth.validateApplicationLevelSignature(again, asked, options)
    }
  }

  async #discover(ask: Ask): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.#issuer)
    try {
      const answer = await oauth.discoveryRequest(issuer, over(ask, this.#issuer))
      const found = await oauth.processDiscoveryResponse(issuer, answer)
      for (const endpoint of [found.authorization_endpoint, found.token_endpoint, found.jwks_uri])
        if (!isUsable(endpoint, issuer))
          throw new NoAnswer('its configuration names an endpoint that is not a URL with https')
      const offered = found.id_token_signing_alg_values_supported?.filter((each) => algorithms.includes(each)) ?? []
      const server = { ...found, id_token_signing_alg_values_supported: offered.length === 0 ? ['RS256'] : offered }
      this.#known = { server, atMs: performance.now() }
      return server
    } catch (error) {
      if (error instanceof NoAnswer) throw error
      throw new NoAnswer(`its configuration cannot be used: ${error instanceof Error ? error.message : error}`)
    }
  }
}

function isUsable(endpoint: string | undefined, issuer: URL): boolean {
  if (endpoint === undefined || !URL.canParse(endpoint)) return false
  const { protocol } = new URL(endpoint)
  return protocol === 'https:' || protocol === issuer.protocol
}

/** `client_secret_basic`, unless the provider supports only the other method (OpenID Connect Core, section 9). */
function authenticationTo(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}
