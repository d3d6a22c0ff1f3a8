import assert from 'node:assert/strict'
import { fromBase32 } from '#modules/accounts/index.ts'
import { codeAt, periodS } from '#modules/accounts/totp.ts'
import { type TestAnswer, type TestApi, testOrigin } from './test-api.ts'

/** A person at a browser. Keeps cookies, and sends the Origin of our pages. */
export class TestPerson {
  readonly email: string
  password = 'correct horse battery'
  /** The authenticator's secret, once two-factor authentication was begun. */
  totpSecret: string | undefined
  backupCodes: string[] = []
  /** The browser's address; undefined: 127.0.0.1. */
  address: string | undefined
  readonly cookies = new Map<string, string>()
  readonly #api: TestApi

  constructor(api: TestApi, email: string) {
    this.#api = api
    this.email = email
  }

  /** Signs up, reads the email, and creates the account as its page does. The person is signed in afterwards. */
  static async signedIn(api: TestApi, email: string): Promise<TestPerson> {
    const person = new TestPerson(api, email)
    assert.equal((await person.auth('POST', '/sign-up/email', { email })).status, 200)
    assert.equal((await person.createAccount(person.signUpToken())).status, 200)
    return person
  }

  /** The same with two-factor authentication turned on. */
  static async secured(api: TestApi, email: string): Promise<TestPerson> {
    const person = await TestPerson.signedIn(api, email)
    await person.secure()
    return person
  }

  async secure(): Promise<void> {
    const begun = await this.auth('POST', '/two-factor/enable', { password: this.password })
    assert.equal(begun.status, 200)
    const shared = new URL(begun.body.totpURI).searchParams.get('secret') ?? ''
    this.totpSecret = fromBase32(shared)
    this.backupCodes = begun.body.backupCodes
    const verify = () => this.auth('POST', '/two-factor/verify-totp', { code: this.code(-1) })
    const first = await verify()
    // If a period ended in the meantime, the code was that of the last period but one.
    assert.equal((first.status === 200 ? first : await verify()).status, 200)
  }

  /** The authenticator's code of this period, or of one this many periods away. */
  code(periodsAway = 0): string {
    return codeAt(this.totpSecret ?? '', Math.floor(Date.now() / 1000 / periodS) + periodsAway)
  }

  /** The token in the link of the last sign-up email. */
  signUpToken(): string {
    const mail = this.#api.mails.findLast(({ kind, to }) => kind === 'finishSignUp' && to === this.email)
    return new URL(mail?.url ?? assert.fail(`${this.email} got no link`)).searchParams.get('token') ?? ''
  }

  createAccount(token: string, more: object = {}): Promise<TestAnswer> {
    return this.auth('POST', '/sign-up/complete', { token, name: 'Ada', password: this.password, ...more })
  }

  /** Signs in from a new browser each time. */
  signIn(password = this.password): Promise<TestAnswer> {
    this.cookies.clear()
    return this.auth('POST', '/sign-in/email', { email: this.email, password })
  }

  /** Signs in from the same browser after its session has ended. The browser keeps only the cookie of a known device. */
  signInAgain(password = this.password): Promise<TestAnswer> {
    for (const name of this.cookies.keys()) if (!name.endsWith('.device')) this.cookies.delete(name)
    return this.auth('POST', '/sign-in/email', { email: this.email, password })
  }

  /** Calls a route of better-auth. */
  auth(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.call(method, path, { body, headers, prefix: '/api/auth' })
  }

  follow(url: string): Promise<TestAnswer> {
    const { pathname, search } = new URL(url)
    return this.call('GET', pathname + search, { prefix: '' })
  }

  async call(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string>; prefix?: string } = {},
  ): Promise<TestAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie === '' ? {} : { cookie }), origin: testOrigin, ...options.headers }
    const answer = await this.#api.call(method, path, { prefix: '/api/v1', address: this.address, ...options, headers })
    for (const line of [answer.headers['set-cookie'] ?? []].flat() as string[]) this.#keep(line)
    return answer
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
