import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Browser, freshCode } from './browser.ts'
import { eventually, patienceMs } from './eventually.ts'
import type { World } from './world.ts'

/** The cards of the sandbox's gateway. */
export const cards = {
  success: '4000000000000001',
  declined: '4000000000000002',
  refundFails: '4000000000000004',
  toldTwice: '4000000000000006',
  neverTold: '4000000000000009',
} as const

/** An order as the API returns it. */
export interface SeenOrder {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly stage: string | null
  readonly last_error: string
  readonly amount_kobo: number
  readonly credit_kobo: number
  readonly promo_kobo: number
  readonly due_kobo: number
  readonly payments: readonly { reference: string; counted_as: string | null; refund: string | null }[]
}

/** The buyer. */
export const buyerContact = {
  name: 'Ada Obi',
  email: 'ada@example.net',
  phone: '+2348031234567',
  address1: '12 Broad Street',
  city: 'Lagos',
  state: 'LA',
  postal_code: '101221',
  country: 'NG',
}

/** A person who buys domains: orders with the demo account's key, and pays in the dashboard or at the gateway. */
export class Shopper {
  readonly #world: World
  readonly dashboard: Browser
  readonly #contactId: string

  private constructor(world: World, dashboard: Browser, contactId: string) {
    this.#world = world
    this.dashboard = dashboard
    this.#contactId = contactId
  }

  /** The demo account's owner, signed in. */
  static async at(world: World): Promise<Shopper> {
    const { account, base_url } = world.facts
    const dashboard = new Browser(base_url)
    const { email, password } = account
    assert.equal((await dashboard.call('POST', '/api/auth/sign-in/email', { email, password })).status, 200)
    const code = { code: await freshCode(account.totp_secret) }
    assert.equal((await dashboard.call('POST', '/api/auth/two-factor/verify-totp', code)).status, 200)
    const made = await world.api.call<{ id: string }>('POST', '/contacts', buyerContact)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return new Shopper(world, dashboard, made.body.id)
  }

  /** A code of the account's authenticator that was not used yet. */
  async code(): Promise<string> {
    return await freshCode(this.#world.facts.account.totp_secret)
  }

  /** A quote's id. */
  async quote(name: string, more: object = {}): Promise<string> {
    const wish = { kind: 'register', name, ...more }
    const { status, body } = await this.#world.api.call<{ id: string }>('POST', '/quotes', wish)
    assert.equal(status, 201, JSON.stringify(body))
    return body.id
  }

  /** The request body that orders a name. */
  async wish(name: string, { quote = {}, order = {} }: { quote?: object; order?: object } = {}): Promise<object> {
    return { quote_id: await this.quote(name, quote), contact_id: this.#contactId, ...order }
  }

  async place(quoteId: string, more: object = {}): Promise<SeenOrder> {
    const wish = { quote_id: quoteId, contact_id: this.#contactId, ...more }
    const { status, body } = await this.#world.api.call<SeenOrder>('POST', '/orders', wish)
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }

  /** Requests a quote and immediately orders it. */
  async order(name: string, { quote = {}, order = {} }: { quote?: object; order?: object } = {}): Promise<SeenOrder> {
    return await this.place(await this.quote(name, quote), order)
  }

  async read(id: string): Promise<SeenOrder> {
    const { status, body } = await this.#world.api.call<SeenOrder>('GET', `/orders/${id}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  /** Opens the gateway's page for an order from the dashboard, and returns its address. */
  async checkout(id: string): Promise<string> {
    const opened = await this.dashboard.call('POST', `/api/v1/orders/${id}/checkout`)
    assert.equal(opened.status, 200, JSON.stringify(opened.body))
    return String(opened.body['url'])
  }

  async pay(id: string, card: string): Promise<void> {
    await payAt(await this.checkout(id), card)
  }

  /** Waits until the order is in this status. */
  async until(id: string, status: string, timeoutMs = patienceMs): Promise<SeenOrder> {
    let seen: SeenOrder | undefined
    return await eventually(
      () => `order ${id} is ${status}; it is ${JSON.stringify(seen)}`,
      async () => {
        seen = await this.read(id)
        return seen.status === status ? seen : undefined
      },
      timeoutMs,
    )
  }

  /** Makes the gateway's API handle the next call of this kind in this way. */
  async onceAtGateway(call: 'initialize' | 'verify' | 'refund', behaviour: object): Promise<void> {
    const url = new URL(`behaviour?call=${call}`, this.#world.facts.gateway_url)
    const answer = await fetch(url, { method: 'PUT', body: JSON.stringify({ ...behaviour, times: 1 }) })
    assert.equal(answer.status, 200, await answer.text())
  }

  /** The remaining credit of the account. */
  async credit(): Promise<number> {
    return (await this.#world.api.call<{ available_kobo: number }>('GET', '/credit')).body.available_kobo
  }

  /** The refunds that the gateway knows of a payment. */
  async refundsAtGateway(reference: string): Promise<{ amount: number; status: string }[]> {
    const key = await readFile(join(this.#world.dataDir, 'gateway.key'), 'utf8')
    const ask = async (path: string) => {
      const headers = { authorization: `Bearer ${key}` }
      return ((await (await fetch(new URL(path, this.#world.facts.gateway_url), { headers })).json()) as Answer).data
    }
    const paid = (await ask(`transaction/verify/${reference}`)) as { id: number }
    return (await ask(`refund?transaction=${paid.id}`)) as { amount: number; status: string }[]
  }
}

interface Answer {
  readonly data: unknown
}

/** Pays on the gateway's page, as a person's browser does. */
export async function payAt(page: string, card: string): Promise<void> {
  const answer = await fetch(page, { method: 'POST', body: new URLSearchParams({ card }), redirect: 'manual' })
  assert.ok(answer.status < 400, await answer.text())
}
