import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { ProviderSetting } from '#platform/settings/providers-setting.ts'
import type { SignInProvider } from '#ports/sign-in-provider.ts'
import { authorizationRequest, codeIn, over, unfinished, usableEmail, usableName } from './code-flow.ts'
import { type Ask, NoAnswer, type ProviderHttp } from './provider-http.ts'

export interface GithubUrls {
  /** The site, where people sign in. */
  readonly site: string
  readonly api: string
}

export const githubUrls: GithubUrls = { site: 'https://github.com', api: 'https://api.github.com' }

const userShape = z.object({ id: z.int().positive(), name: z.string().nullish(), login: z.string() })
const emailsShape = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() })).max(1_000)

/**
 * GitHub: OAuth 2.0 without an ID token. GitHub's API, with the access token of this sign-in, says who the person is.
 *
 * The subject is the user's number, because user names change owners. The address is the primary one, if GitHub has verified it.
 */
export function githubProvider(
  { id, name, issuer, clientId, clientSecret }: ProviderSetting,
  http: ProviderHttp,
  { site, api }: GithubUrls,
): SignInProvider {
  const server: oauth.AuthorizationServer = {
    issuer: site,
    authorization_endpoint: `${site}/login/oauth/authorize`,
    token_endpoint: `${site}/login/oauth/access_token`,
  }
  const client: oauth.Client = { client_id: clientId }
  return {
    id,
    name,
    issuer,
    begin: (returnUrl) =>
      authorizationRequest(server, { clientId, returnUrl, scope: 'read:user user:email', hasNonce: false }),
    finish: async (kept, returnUrl, answer) => {
      try {
        return await http.within(async (ask) => {
          // GitHub does not document an issuer in its answers.
          const code = codeIn(server, client, { ...answer, iss: undefined }, kept)
          const authentication = oauth.ClientSecretPost(clientSecret)
          const options = over(ask, site)
          const tokens = await oauth.processAuthorizationCodeResponse(
            server,
            client,
            await oauth.authorizationCodeGrantRequest(
              server,
              client,
              authentication,
              code,
              returnUrl,
              kept.codeVerifier,
              options,
            ),
          )
          const read = readerOf(ask, api, tokens.access_token)
          const user = await read('/user', userShape)
          const primary = (await read('/user/emails', emailsShape)).find((each) => each.primary)
          const person = {
            subject: String(user.id),
            email: usableEmail(primary?.email, primary?.verified),
            name: usableName(user.name ?? user.login),
          }
          return { kind: 'proved', person }
        })
      } catch (error) {
        return unfinished(error)
      }
    },
  }
}

function readerOf(ask: Ask, api: string, token: string) {
  return async <T>(path: string, shape: z.ZodType<T>): Promise<T> => {
    const answer = await ask(`${api}${path}`, {
      method: 'GET',
      headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` },
    })
    const parsed = answer.status === 200 ? shape.safeParse(await answer.json().catch(() => undefined)) : undefined
    if (!parsed?.success) throw new NoAnswer(`${path} answered ${answer.status}, or not as it should`)
    return parsed.data
  }
}
