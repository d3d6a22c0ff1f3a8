import assert from 'node:assert/strict'
import { ProviderVisit } from './provider-visit.ts'
import type { TestApi } from './test-api.ts'
import { TestPasskey } from './test-passkey.ts'
import { TestPerson } from './test-person.ts'

/** A valid request of a person. */
export interface PersonRequest {
  readonly person: TestPerson
  readonly body?: unknown
  /** With its parameters, where the path of the route has some. */
  readonly path?: string
}

export type PersonRequests = Readonly<Record<string, () => Promise<PersonRequest>>>

/** Makes people, each with their own address, and valid requests to the routes about accounts. */
export function peopleRequests(api: TestApi) {
  const visit = new ProviderVisit(api)
  let people = 0
  const email = (): string => `person${++people}@example.net`
  const nextPassword = 'a quite different phrase'
  const signedIn = (): Promise<TestPerson> => TestPerson.signedIn(api, email())
  const secured = (): Promise<TestPerson> => TestPerson.secured(api, email())
  const stranger = (): TestPerson => new TestPerson(api, email())

  /** A person who has entered the password, but not the code. */
  async function halfWay(): Promise<TestPerson> {
    const person = await secured()
    assert.equal((await person.signIn()).body.twoFactorRedirect, true)
    return person
  }

  /** A person with a passkey, and its id. */
  async function withPasskey(): Promise<{ person: TestPerson; id: string }> {
    const person = await signedIn()
    await TestPasskey.added(person)
    return { person, id: (await person.call('GET', '/account/passkeys')).body.data[0].id }
  }

  /** The same with a linked provider. */
  async function withProvider(): Promise<{ person: TestPerson; id: string }> {
    const person = await signedIn()
    visit.add(person.email, person.email)
    const answered = await person.auth('POST', '/provider/answer', await visit.link(person, person.email))
    assert.equal(answered.status, 200)
    return { person, id: (await person.call('GET', '/account/providers')).body.data[0].id }
  }

  /** A person with a link that creates an account. */
  async function invited(): Promise<TestPerson> {
    const person = stranger()
    assert.equal((await person.auth('POST', '/sign-up/email', { email: person.email })).status, 200)
    return person
  }

  function mailedLink(kind: string, to: string): URL {
    const mail = api.mails.findLast((each) => each.kind === kind && each.to === to)
    return new URL(mail?.url ?? assert.fail(`no ${kind} was sent to ${to}`))
  }

  async function resetToken(person: TestPerson): Promise<string> {
    assert.equal((await person.auth('POST', '/request-password-reset', { email: person.email })).status, 200)
    return mailedLink('resetPassword', person.email).pathname.split('/').at(-1) ?? ''
  }

  /** By the paths of better-auth's routes. */
  const auth: PersonRequests = {
    '/sign-up/email': async () => {
      const person = stranger()
      return { person, body: { email: person.email } }
    },
    '/sign-up/link': async () => {
      const person = await invited()
      return { person, body: { token: person.signUpToken() } }
    },
    '/sign-up/complete': async () => {
      const person = await invited()
      return { person, body: { token: person.signUpToken(), name: 'Ada', password: person.password } }
    },
    '/sign-in/email': async () => {
      const person = await signedIn()
      return { person, body: { email: person.email, password: person.password } }
    },
    '/passkey/challenge': async () => ({ person: stranger(), body: {} }),
    '/sign-in/passkey': async () => {
      const person = await signedIn()
      const passkey = await TestPasskey.added(person)
      const { challenge } = (await person.auth('POST', '/passkey/challenge', {})).body
      return { person: stranger(), body: passkey.assertion(challenge) }
    },
    '/provider/begin': async () => ({ person: stranger(), body: { provider: 'acme', back: '/zones' } }),
    '/provider/answer': async () => {
      const person = stranger()
      visit.add(person.email, person.email)
      return { person, body: await visit.signIn(person, person.email) }
    },
    '/sign-out': async () => ({ person: await signedIn(), body: {} }),
    '/get-session': async () => ({ person: await signedIn() }),
    '/list-sessions': async () => ({ person: await signedIn() }),
    '/revoke-session': async () => {
      const person = await signedIn()
      const { token } = (await new TestPerson(api, person.email).signIn()).body
      return { person, body: { token } }
    },
    '/revoke-other-sessions': async () => {
      const person = await signedIn()
      await new TestPerson(api, person.email).signIn()
      return { person, body: {} }
    },
    '/request-password-reset': async () => {
      const person = await signedIn()
      return { person, body: { email: person.email } }
    },
    '/reset-password/:token': async () => {
      const person = await signedIn()
      return { person, path: `/reset-password/${await resetToken(person)}?callbackURL=%2F` }
    },
    '/reset-password': async () => {
      const person = await secured()
      return { person, body: { newPassword: nextPassword, token: await resetToken(person) } }
    },
    '/change-password': async () => {
      const person = await secured()
      const [code] = person.backupCodes
      return { person, body: { currentPassword: person.password, newPassword: nextPassword, code } }
    },
    '/two-factor/enable': async () => {
      const person = await signedIn()
      return { person, body: { password: person.password } }
    },
    '/two-factor/disable': async () => {
      const person = await secured()
      return { person, body: { password: person.password, code: person.backupCodes[0] } }
    },
    '/two-factor/verify-totp': async () => {
      const person = await halfWay()
      return { person, body: { code: person.code() } }
    },
    '/two-factor/verify-backup-code': async () => {
      const person = await halfWay()
      return { person, body: { code: person.backupCodes[0] } }
    },
    '/two-factor/generate-backup-codes': async () => {
      const person = await secured()
      return { person, body: { password: person.password, code: person.backupCodes[0] } }
    },
  }

  /** Our own account routes, by method and path: those that ask for a password and a code, or send a mail. */
  const account: PersonRequests = {
    'PATCH /account': async () => ({ person: await signedIn(), body: { name: 'Ada L.' } }),
    'POST /account/email': async () => {
      const person = await secured()
      return { person, body: { email: email(), password: person.password, code: person.backupCodes[0] } }
    },
    'POST /account/email/confirm': async () => {
      const person = await secured()
      const next = email()
      const wish = { email: next, password: person.password, code: person.backupCodes[0] }
      assert.equal((await person.call('POST', '/account/email', { body: wish })).status, 204)
      const token = mailedLink('confirmNewAddress', next).searchParams.get('token')
      return { person, body: { token } }
    },
    'POST /account/passkeys/options': async () => {
      const person = await secured()
      return { person, body: { password: person.password, code: person.backupCodes[0] } }
    },
    'POST /account/passkeys': async () => {
      const person = await signedIn()
      const begun = await person.call('POST', '/account/passkeys/options', { body: { password: person.password } })
      return { person, body: new TestPasskey().registration(begun.body.challenge) }
    },
    'PATCH /account/passkeys': async () => {
      const { person, id } = await withPasskey()
      return { person, path: `/account/passkeys/${id}`, body: { name: 'Phone' } }
    },
    'DELETE /account/passkeys': async () => {
      const { person, id } = await withPasskey()
      return { person, path: `/account/passkeys/${id}`, body: { password: person.password } }
    },
    'POST /account/providers/link': async () => {
      const person = await secured()
      return { person, body: { provider: 'acme', password: person.password, code: person.backupCodes[0] } }
    },
    'DELETE /account/providers': async () => {
      const { person, id } = await withProvider()
      return { person, path: `/account/providers/${id}`, body: { password: person.password } }
    },
    'POST /account/notifications/addresses': async () => ({
      person: await signedIn(),
      body: { email: email(), topics: ['zones'] },
    }),
    'DELETE /account': async () => {
      const person = await secured()
      return { person, body: { password: person.password, code: person.backupCodes[0] } }
    },
    'POST /api-keys': async () => {
      const person = await secured()
      const [code] = person.backupCodes
      return {
        person,
        body: { name: 'ci', zones: 'all', permissions: ['records:read'], expires_in: '30d', code },
      }
    },
  }

  return { signedIn, auth, account }
}
