import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { type IdentityProvider, startIdentityProvider } from '@zonewright/sandbox'
import type { ProviderSetting } from '#platform/settings/providers-setting.ts'
import type { FinishedSignIn, KeptSignIn, ProviderAnswer, SignInProvider } from '#ports/sign-in-provider.ts'
import { createSignInProviders } from './index.ts'

const client = { clientId: 'zonewright', clientSecret: 'a:secret/with=signs' }
const returnUrl = 'http://dashboard.test/app/provider/acme'
const ada = { subject: '1001', email: 'Ada@Example.net', email_verified: true, name: 'Ada Lovelace' }
const provider = await startIdentityProvider({ httpListen: '127.0.0.1:0', ...client, people: [ada] })
const setting: ProviderSetting = { id: 'acme', name: 'Acme', issuer: provider.issuer, kind: 'openid', ...client }
const timeoutMs = 2_000

/** A new one each time, so that nothing is cached. */
function fresh(more: Partial<ProviderSetting> = {}): SignInProvider {
  const made = createSignInProviders([{ ...setting, ...more }], {
    timeoutMs,
    github: { site: provider.issuer, api: provider.issuer },
  })
  after(() => made.close())
  return made.all[0] ?? assert.fail()
}

after(() => provider.close())
beforeEach(() => provider.behave({}))

async function begun(at: SignInProvider): Promise<{ url: string; kept: KeptSignIn }> {
  const begin = await at.begin(returnUrl)
  assert.equal(begin.kind, 'begun', JSON.stringify(begin))
  return begin.kind === 'begun' ? begin : assert.fail()
}

const answerIn = (url: URL): ProviderAnswer => Object.fromEntries(url.searchParams)

/** Signs in. `behaviour` is how the provider behaves once the browser is back. */
async function signIn(
  at = fresh(),
  behaviour: Parameters<IdentityProvider['behave']>[0] = {},
  change: (answer: ProviderAnswer) => ProviderAnswer = (answer) => answer,
): Promise<FinishedSignIn> {
  const { url, kept } = await begun(at)
  provider.behave(behaviour)
  return at.finish(kept, returnUrl, change(answerIn(await provider.answer(url, ada.subject))))
}

const proved = { kind: 'proved', person: { subject: '1001', email: 'ada@example.net', name: 'Ada Lovelace' } }
const kindOf = ({ kind }: { kind: string }): string => kind
const nowS = (): number => Math.floor(Date.now() / 1_000)

test('proves a person who signs in at the provider, by the code flow with PKCE, state and nonce', async () => {
  const at = fresh()
  const { searchParams } = new URL((await begun(at)).url)
  assert.deepEqual(
    ['response_type', 'client_id', 'redirect_uri', 'scope', 'code_challenge_method'].map((name) =>
      searchParams.get(name),
    ),
    ['code', 'zonewright', returnUrl, 'openid email profile', 'S256'],
  )
  for (const name of ['state', 'nonce', 'code_challenge']) assert.equal(searchParams.get(name)?.length, 43, name)
  assert.deepEqual(await signIn(at), proved)
  for (const signs of ['RS256', 'ES256'] as const) assert.deepEqual(await signIn(at, { signs }), proved, signs)
})

test('an ID token that is for another sign-in, expired, or not signed by the provider proves nothing', async () => {
  const at = fresh()
  assert.equal((await signIn(at)).kind, 'proved')
  const bad: Readonly<Record<string, Parameters<IdentityProvider['behave']>[0]>> = {
    'another issuer': { claims: { iss: 'https://evil.example' } },
    'another audience': { claims: { aud: 'another-client' } },
    'more audiences': { claims: { aud: ['zonewright', 'another-client'] } },
    'another party': { claims: { aud: ['zonewright', 'another-client'], azp: 'another-client' } },
    'another nonce': { claims: { nonce: 'made-up' } },
    'no nonce': { claims: { nonce: undefined } },
    'no subject': { claims: { sub: undefined } },
    'an empty subject': { claims: { sub: '' } },
    'a subject with a zero byte': { claims: { sub: 'a\0' } },
    'a subject that is not ASCII': { claims: { sub: 'é' } },
    'a long subject': { claims: { sub: 'x'.repeat(256) } },
    'a subject that is a number': { claims: { sub: 7 } },
    expired: { claims: { iat: nowS() - 7_200, exp: nowS() - 3_600 } },
    'no expiry': { claims: { exp: undefined } },
    'not yet valid': { claims: { nbf: nowS() + 3_600 } },
    'not signed': { signs: 'none' },
    'the public key as a secret': { signs: 'HS256' },
    'signed with our secret': { signs: 'HS256-secret' },
    'a key that is not published': { signs: 'stranger' },
    'a code that the provider does not know': { tokenError: 'invalid_grant' },
  }
  for (const [what, behaviour] of Object.entries(bad))
    assert.equal(kindOf(await signIn(at, behaviour)), 'refused', what)
})

test('a provider that is down, hangs, or sends endless data, a page, a redirect or an error is away, within the time limit', async () => {
  for (const fault of ['drop', 'hang', 'endless', 'html', 'moved', 'broken'] as const) {
    provider.behave({ faults: { discovery: fault } })
    const startedMs = performance.now()
    assert.equal(kindOf(await fresh().begin(returnUrl)), 'away', fault)
    for (const part of ['token', 'jwks', 'userinfo'] as const) {
      provider.behave({})
      const thin = { hasThinTokens: part === 'userinfo' }
      assert.equal(kindOf(await signIn(fresh(), { ...thin, faults: { [part]: fault } })), 'away', `${part} ${fault}`)
    }
    assert.ok(performance.now() - startedMs < 5 * timeoutMs, fault)
  }
  const closed = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => closed.once('listening', listening))
  const { port } = closed.address() as { port: number }
  await new Promise((done) => closed.close(done))
  assert.equal(kindOf(await fresh({ issuer: `http://127.0.0.1:${port}` }).begin(returnUrl)), 'away')
  assert.equal(kindOf(await signIn(fresh(), { tokenError: 'invalid_client' })), 'away', 'our own client is at fault')
  assert.deepEqual(await signIn(), proved, 'and back')
})

test('a discovery document of another issuer, or with endpoints that are not https, is not used', async () => {
  for (const metadata of [
    { issuer: 'https://evil.example' },
    { token_endpoint: 'ftp://evil.example/token' },
    { jwks_uri: undefined },
    { authorization_endpoint: 'javascript:alert(1)' },
  ]) {
    provider.behave({ metadata })
    assert.equal(kindOf(await fresh().begin(returnUrl)), 'away', JSON.stringify(metadata))
  }
})

test('fetches the keys once more if the provider has replaced them, and the configuration only once', async () => {
  const at = fresh()
  const count = (part: 'jwks' | 'discovery'): number => provider.requests.get(part) ?? 0
  const before = count('discovery')
  assert.deepEqual(await signIn(at), proved)
  const first = count('jwks')
  assert.deepEqual(await signIn(at), proved)
  assert.equal(count('jwks'), first, 'the keys are known')
  provider.keys.rotate()
  assert.deepEqual(await signIn(at), proved)
  assert.equal(count('jwks'), first + 1)
  assert.equal(kindOf(await signIn(at, { signs: 'stranger' })), 'refused')
  assert.equal(count('jwks'), first + 2, 'not again and again')
  assert.deepEqual(await signIn(at), proved)
  assert.equal(count('discovery'), before + 1)
  const together = fresh()
  await Promise.all(Array.from({ length: 10 }, () => begun(together)))
  assert.equal(count('discovery'), before + 2)
})

test('an answer with a wrong state, issuer or code, or a used one, proves nothing; a person who declines is not an error', async () => {
  const at = fresh()
  for (const change of [
    (answer: ProviderAnswer) => ({ ...answer, state: 'made-up' }),
    ({ state: _, ...answer }: ProviderAnswer) => answer,
    (answer: ProviderAnswer) => ({ ...answer, iss: 'https://evil.example' }),
    ({ iss: _, ...answer }: ProviderAnswer) => answer,
    (answer: ProviderAnswer) => ({ ...answer, code: 'made-up' }),
    ({ code: _, ...answer }: ProviderAnswer) => answer,
  ])
    assert.equal(kindOf(await signIn(at, {}, change)), 'refused')
  const { url, kept } = await begun(at)
  const answer = answerIn(await provider.answer(url, ada.subject))
  const other = (await begun(at)).kept
  assert.equal(kindOf(await at.finish({ ...other, state: kept.state }, returnUrl, answer)), 'refused', 'PKCE')
  assert.equal(kindOf(await at.finish(kept, returnUrl, answer)), 'refused', 'the code was used up')
  const again = await begun(at)
  const declined = answerIn(await provider.answer(again.url, 'decline'))
  assert.equal(kindOf(await at.finish(again.kept, returnUrl, declined)), 'declined')
  assert.equal(kindOf(await at.finish(again.kept, returnUrl, { ...declined, error: 'server_error' })), 'away')
})

test('an email address counts only if the provider reports it as verified, from any endpoint, and is in lower case', async () => {
  const emailOf = async (claims: object, hasThinTokens = false): Promise<unknown> => {
    const finished = await signIn(fresh(), { claims: claims as Record<string, unknown>, hasThinTokens })
    return finished.kind === 'proved' ? finished.person.email : finished.kind
  }
  assert.equal(await emailOf({ email: 'MiXed@Example.NET' }), 'mixed@example.net')
  assert.equal(await emailOf({}, true), 'ada@example.net', 'from the userinfo endpoint')
  for (const claims of [
    { email_verified: false },
    { email_verified: undefined },
    { email_verified: 'true' },
    { email_verified: 1 },
    { email: 'no address' },
    { email: ['ada@example.net'] },
    { email: 'ada@example.net\u0000' },
    { email: `${'x'.repeat(300)}@example.net` },
  ])
    assert.equal(await emailOf(claims), undefined, JSON.stringify(claims))
  const { person } = (await signIn(fresh(), { claims: { name: 'x'.repeat(5_000) } })) as typeof proved
  assert.ok(person.name.length <= 100)
})

test('GitHub: the subject is the user’s number, and only the verified primary address counts', async () => {
  const github = { kind: 'github', issuer: 'https://github.com' } as const
  assert.deepEqual(await signIn(fresh(github)), proved)
  provider.people.set(ada.subject, { ...ada, email_verified: false, name: '' })
  const unverified = await signIn(fresh(github))
  assert.deepEqual(unverified, { kind: 'proved', person: { subject: '1001', email: undefined, name: '' } })
  provider.people.set(ada.subject, ada)
  assert.equal(kindOf(await signIn(fresh(github), { tokenError: 'bad_verification_code' })), 'refused')
  for (const fault of ['drop', 'html', 'moved', 'broken', 'endless', 'hang'] as const) {
    assert.equal(kindOf(await signIn(fresh(github), { faults: { token: fault } })), 'away', `token ${fault}`)
    assert.equal(kindOf(await signIn(fresh(github), { faults: { userinfo: fault } })), 'away', `user ${fault}`)
  }
  const { url, kept } = await begun(fresh(github))
  const answer = answerIn(await provider.answer(url, ada.subject))
  assert.equal(kindOf(await fresh(github).finish(kept, returnUrl, { ...answer, state: 'x' })), 'refused')
})

test('while a provider hangs, at most 20 sign-ins wait for it, and the others fail immediately', async () => {
  provider.behave({ faults: { discovery: 'hang' } })
  const at = fresh()
  const startedMs = performance.now()
  let atOnce = 0
  const all = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const answer = await at.begin(returnUrl)
      if (performance.now() - startedMs < timeoutMs / 2) atOnce++
      return answer.kind
    }),
  )
  assert.deepEqual([...new Set(all)], ['away'])
  assert.equal(atOnce, 30)
})
