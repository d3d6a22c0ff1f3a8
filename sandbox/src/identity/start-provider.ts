import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { type Answer, html, json } from '../web/answer.ts'
import { listen } from '../web/listen.ts'
import { readBody } from '../web/read-body.ts'
import type { AnswerFault, ProviderBehaviour, ProviderPart } from './behaviour.ts'
import { signInPage } from './page.ts'
import { SigningKeys } from './signing-keys.ts'

/** A person whom the provider knows. */
interface ProviderPerson {
  readonly subject: string
  readonly email?: string
  readonly email_verified?: unknown
  readonly name?: string
}

interface IdentityOptions {
  /** `host:port`; port 0 takes a free one. */
  readonly httpListen: string
  readonly clientId: string
  readonly clientSecret: string
  readonly people?: readonly ProviderPerson[]
}

/**
 * A running sign-in provider: OpenID Connect with discovery, PKCE and signed ID tokens, and the part of GitHub's site and API that sign-in needs. Its
 * behavior can be set.
 */
export interface IdentityProvider {
  readonly issuer: string
  /** The known persons, by subject. */
  readonly people: Map<string, ProviderPerson>
  readonly keys: SigningKeys
  /** How many requests each part has received. */
  readonly requests: Map<ProviderPart | 'other', number>
  /** Sets the behavior from now on, until it is set again. */
  behave(behaviour: ProviderBehaviour): void
  /** Signs in or cancels, as a person would on its page. Returns the URL to which the browser is redirected. */
  answer(authorizationUrl: string, subject: string | 'decline'): Promise<URL>
  close(): Promise<void>
}

interface Grant {
  readonly subject: string
  readonly nonce: string | null
  readonly challenge: string | null
  readonly redirectUri: string
}

export async function startIdentityProvider(options: IdentityOptions): Promise<IdentityProvider> {
  const desk = new Desk(options)
  const server = createServer((request, response) => {
    desk.answer(request, response).catch(() => response.destroy())
  })
  const address = await listen(server, options.httpListen)
  desk.issuer = `http://${address}`
  return {
    issuer: desk.issuer,
    people: desk.people,
    keys: desk.keys,
    requests: desk.requests,
    behave: (behaviour) => {
      desk.behaviour = behaviour
    },
    answer: async (authorizationUrl, subject) =>
      desk.goBack(new URL(authorizationUrl).searchParams, subject === 'decline' ? undefined : subject),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

class Desk {
  issuer = ''
  behaviour: ProviderBehaviour = {}
  readonly people: Map<string, ProviderPerson>
  readonly keys = new SigningKeys()
  readonly requests = new Map<ProviderPart | 'other', number>()
  readonly #options: IdentityOptions
  readonly #grants = new Map<string, Grant>()
  readonly #tokens = new Map<string, string>()

  constructor(options: IdentityOptions) {
    this.#options = options
    this.people = new Map((options.people ?? []).map((person) => [person.subject, person]))
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer)
    const part = parts[url.pathname]
    this.requests.set(part ?? 'other', (this.requests.get(part ?? 'other') ?? 0) + 1)
    const fault = part && this.behaviour.faults?.[part]
    if (fault !== undefined) return misbehave(fault, response)
    const { status, type, body, headers } = await this.#route(request, url)
    response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...headers })
    response.end(body)
  }

  /** The redirect URL after the person has signed in or cancelled. */
  goBack(asked: URLSearchParams, subject: string | undefined): URL {
    const redirectUri = asked.get('redirect_uri') ?? ''
    const back = new URL(redirectUri)
    back.searchParams.set('state', asked.get('state') ?? '')
    back.searchParams.set('iss', this.issuer)
    if (subject === undefined) back.searchParams.set('error', 'access_denied')
    else {
      const code = randomBytes(16).toString('hex')
      const [nonce, challenge] = [asked.get('nonce'), asked.get('code_challenge')]
      this.#grants.set(code, { subject, nonce, challenge, redirectUri })
      back.searchParams.set('code', code)
    }
    return back
  }

  async #route(request: IncomingMessage, url: URL): Promise<Answer> {
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return json(200, { ...this.#metadata(), ...this.behaviour.metadata })
      case 'GET /jwks':
        return json(200, this.keys.published())
      case 'GET /authorize':
      case 'GET /login/oauth/authorize':
        return html(signInPage(this.#labels(), url.searchParams.get('client_id') ?? ''))
      case 'POST /authorize':
      case 'POST /login/oauth/authorize': {
        const wish = new URLSearchParams((await readBody(request)).toString('utf8'))
        const subject = wish.get('decline') === 'yes' ? undefined : (wish.get('subject') ?? '')
        return { ...html('', { location: this.goBack(url.searchParams, subject).href }), status: 303 }
      }
      case 'POST /token':
        return this.#token(request, 'openid')
      case 'POST /login/oauth/access_token':
        return this.#token(request, 'github')
      case 'GET /userinfo':
        return this.#ofPerson(request, (person) => this.#claimsOf(person))
      case 'GET /user':
        return this.#ofPerson(request, ({ subject, name }) => ({
          id: Number(subject),
          login: 'octo',
          name: name ?? null,
        }))
      case 'GET /user/emails':
        return this.#ofPerson(request, ({ email, email_verified: verified }) => [
          { email: 'other@users.example', primary: false, verified: true, visibility: null },
          { email, primary: true, verified, visibility: 'private' },
        ])
    }
    return json(404, { error: 'not_found' })
  }

  #metadata(): object {
    const at = (path: string): string => `${this.issuer}${path}`
    return {
      issuer: this.issuer,
      authorization_endpoint: at('/authorize'),
      token_endpoint: at('/token'),
      jwks_uri: at('/jwks'),
      userinfo_endpoint: at('/userinfo'),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256', 'HS256', 'none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }
  }

  #labels(): { subject: string; label: string }[] {
    return [...this.people.values()].map(({ subject, name, email }) => ({ subject, label: name ?? email ?? subject }))
  }

  async #token(request: IncomingMessage, kind: 'openid' | 'github'): Promise<Answer> {
    const form = new URLSearchParams((await readBody(request)).toString('utf8'))
    if (!this.#isClient(request, form)) return json(401, { error: 'invalid_client' })
    const { tokenError, tokenWaitsFor } = this.behaviour
    await tokenWaitsFor
    const grant = this.#grants.get(form.get('code') ?? '')
    this.#grants.delete(form.get('code') ?? '')
    const person = grant && this.people.get(grant.subject)
    const error = tokenError ?? (person && isFor(grant, form) ? undefined : 'invalid_grant')
    // GitHub reports errors with status 200.
    if (error !== undefined || person === undefined) return json(kind === 'github' ? 200 : 400, { error })
    const token = randomBytes(16).toString('hex')
    this.#tokens.set(token, person.subject)
    const answer = { access_token: token, token_type: 'bearer', scope: 'openid', expires_in: 3_600 }
    return json(200, kind === 'github' ? answer : { ...answer, id_token: this.#idToken(person, grant?.nonce ?? null) })
  }

  /** Its id and secret, in the form or as HTTP Basic (RFC 6749, section 2.3.1). */
  #isClient({ headers }: IncomingMessage, form: URLSearchParams): boolean {
    const basic = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString('utf8')
    const [id, secret] =
      headers.authorization === undefined
        ? [form.get('client_id'), form.get('client_secret')]
        : basic.split(':').map(decodeURIComponent)
    return id === this.#options.clientId && secret === this.#options.clientSecret
  }

  #idToken(person: ProviderPerson, nonce: string | null): string {
    const now = Math.floor(Date.now() / 1_000)
    const { claims = {}, signs = 'RS256', hasThinTokens = false } = this.behaviour
    const own = {
      iss: this.issuer,
      aud: this.#options.clientId,
      iat: now,
      exp: now + 600,
      ...(nonce !== null && { nonce }),
      ...(hasThinTokens ? { sub: person.subject } : this.#claimsOf(person)),
    }
    return this.keys.token({ ...own, ...claims }, signs, this.#options.clientSecret)
  }

  #claimsOf({ subject, ...others }: ProviderPerson): object {
    return { sub: subject, ...others }
  }

  #ofPerson({ headers }: IncomingMessage, tell: (person: ProviderPerson) => object): Answer {
    const token = (headers.authorization ?? '').replace(/^Bearer /, '')
    const person = this.people.get(this.#tokens.get(token) ?? '')
    return person ? json(200, tell(person)) : json(401, { error: 'invalid_token' })
  }
}

const parts: Readonly<Record<string, ProviderPart>> = {
  '/.well-known/openid-configuration': 'discovery',
  '/jwks': 'jwks',
  '/token': 'token',
  '/login/oauth/access_token': 'token',
  '/userinfo': 'userinfo',
  '/user': 'userinfo',
  '/user/emails': 'userinfo',
}

/** Whether the code is for this redirect URL, and the verifier is that of the client that requested it (RFC 7636, section 4.6). */
function isFor({ challenge, redirectUri }: Grant, form: URLSearchParams): boolean {
  const verifier = form.get('code_verifier') ?? ''
  const isVerified = challenge === createHash('sha256').update(verifier).digest('base64url')
  return isVerified && form.get('redirect_uri') === redirectUri
}

function misbehave(fault: AnswerFault, response: ServerResponse): void {
  switch (fault) {
    case 'drop':
      response.destroy()
      return
    case 'hang':
      return
    case 'endless': {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = (): void => {
        while (!response.destroyed && response.write('{"a":"'.padEnd(65_536, 'x')));
        response.once('drain', more)
      }
      more()
      return
    }
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>')
      return
    case 'moved':
      response.writeHead(302, { location: 'http://127.0.0.1:9/', 'content-type': 'application/json' }).end('{}')
      return
    case 'broken':
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"message":"broken"}')
      return
  }
}
