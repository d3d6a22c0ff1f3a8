import assert from 'node:assert/strict'
import type { TestAnswer, TestApi } from './test-api.ts'
import type { TestPerson } from './test-person.ts'

/** The path of a browser through the test's sign-in provider. */
export class ProviderVisit {
  readonly #api: TestApi

  constructor(api: TestApi) {
    this.#api = api
  }

  get identity() {
    return this.#api.identity ?? assert.fail('the API has no sign-in provider')
  }

  /** Adds a person to the provider, with a verified address. */
  add(subject: string, email: string, more: object = {}): void {
    this.identity.people.set(subject, { subject, email, email_verified: true, ...more })
  }

  /** Signs in at the provider, and returns with an answer that is not sent yet. */
  async signIn(person: TestPerson, subject: string | 'decline', back?: string): Promise<Record<string, string>> {
    const begun = await person.auth('POST', '/provider/begin', {
      provider: 'acme',
      ...(back !== undefined && { back }),
    })
    assert.equal(begun.status, 200, JSON.stringify(begun.body))
    return this.#answer(begun.body.url, subject)
  }

  /** The same, to link the provider to the account that the person is signed in to. */
  async link(person: TestPerson, subject: string, proof: object = {}): Promise<Record<string, string>> {
    const body = { provider: 'acme', password: person.password, ...proof }
    const begun = await person.call('POST', '/account/providers/link', { body })
    assert.equal(begun.status, 200, JSON.stringify(begun.body))
    return this.#answer(begun.body.url, subject)
  }

  /** Signs in, and sends the answer. */
  async signedIn(person: TestPerson, subject: string): Promise<TestAnswer> {
    return person.auth('POST', '/provider/answer', await this.signIn(person, subject))
  }

  async #answer(url: string, subject: string): Promise<Record<string, string>> {
    const returned = await this.identity.answer(url, subject)
    return { provider: returned.pathname.split('/').at(-1) ?? '', ...Object.fromEntries(returned.searchParams) }
  }
}
