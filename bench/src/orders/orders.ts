import { Api, buyerContact, eventually, startWorld, type World } from '@zonewright/system-tests/world'
import { withDatabase } from '../database.ts'
import { LeanClient } from '../lean-client.ts'
import { type Figure, median, percentile } from '../report.ts'
import { makeKeys } from '../writer.ts'

/** Each client buys for its own account, because orders of one account wait for one another. */
const clients = 8
const emailOf = (client: number): string => `buyer${client}@zonewright.test`
const rounds = 5
const ordersARound = 400
/** A key can place twenty orders an hour. */
const ordersAKey = 20
const openOrders = 100_000

/**
 * Orders on a whole installation of real processes, paid by credit and carried out at the sandbox's registry over EPP: orders per
 * second, the duration of one, and how soon a very large number of unpaid ones is swept.
 */
export async function orders(): Promise<Figure[]> {
  const world = await startWorld()
  try {
    const shop = await Shop.open(world, { loads: rounds + 1, alone: rounds })
    await shop.load() // warm up: code is compiled, sessions are open
    const rates: number[] = []
    for (let round = 0; round < rounds; round++) rates.push(await shop.load())
    await shop.slowRegistry(20)
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await shop.oneAfterAnother(20))
    await shop.slowRegistry(0)
    const sweeps: number[] = []
    for (let round = 0; round < 3; round++) sweeps.push(await shop.sweep())
    return [
      {
        name: `orders carried out, from quote to completed, by ${clients} clients`,
        unit: 'a second',
        value: median(rates),
        bar: { kind: 'at least', value: 100 },
        samples: rates,
      },
      {
        name: 'order → completed, p50, at a registry that takes 20 ms for each command',
        unit: 'ms',
        value: median(times),
        bar: { kind: 'at most', value: 300 },
        samples: times,
      },
      {
        name: `${openOrders} unpaid orders swept`,
        unit: 's',
        value: median(sweeps),
        bar: { kind: 'at most', value: 10 },
        samples: sweeps,
      },
    ]
  } finally {
    await world.stop()
  }
}

/** Sends a POST, and returns the id of the new object. */
async function made(http: LeanClient, path: string, key: string, body: object): Promise<string> {
  const { status, text } = await http.ask('POST', `/api/v1${path}`, key, JSON.stringify(body))
  if (status !== 201) throw new Error(`${path} was refused: ${status} ${text}`)
  return (JSON.parse(text) as { id: string }).id
}

/** The account of one client, without webhook endpoints. */
interface Buyer {
  /** Keys that have not placed their twenty orders yet. */
  readonly keys: string[]
  readonly contactId: string
}

/** Accounts that buy names with credit. */
export class Shop {
  readonly #world: World
  readonly #buyers: readonly Buyer[]
  #names = 0

  private constructor(world: World, buyers: readonly Buyer[]) {
    this.#world = world
    this.#buyers = buyers
  }

  /** With enough keys for this many calls of `load` and of `oneAfterAnother`. */
  static async open(world: World, { loads, alone = 0 }: { loads: number; alone?: number }): Promise<Shop> {
    const keysAClient = loads * Math.ceil(ordersARound / clients / ordersAKey) + alone
    const open = async (client: number): Promise<Buyer> => {
      await world.admin('account', 'create', emailOf(client))
      await world.admin('credit', 'grant', emailOf(client), '1000000000000')
      const keys = await makeKeys(world, emailOf(client), keysAClient)
      const api = new Api(world.facts.base_url, keys)
      const { body } = await api.call<{ id: string }>('POST', '/contacts', buyerContact)
      return { keys, contactId: body.id }
    }
    return new Shop(world, await Promise.all(Array.from({ length: clients }, (_, client) => open(client))))
  }

  /** 400 orders by all clients, each placed as soon as the previous one is. Returns how many were completed per second. */
  async load(count = ordersARound): Promise<number> {
    const began = performance.now()
    await Promise.all(
      this.#buyers.map(async (buyer) => {
        // Only for one round, because the server closes connections that are idle for long.
        const http = new LeanClient(this.#world.facts.base_url)
        let key = ''
        for (let n = 0; n < count / clients; n++) {
          if (n % ordersAKey === 0) key = buyer.keys.pop() ?? ''
          await this.#order(buyer, http, key)
        }
        http.close()
      }),
    )
    await this.#untilCompleted()
    return (count * 1000) / (performance.now() - began)
  }

  /** The median time from the start of the call that places an order until the order is completed. */
  async oneAfterAnother(count: number): Promise<number> {
    const [buyer] = this.#buyers
    const key = buyer?.keys.pop()
    if (buyer === undefined || key === undefined) throw new Error('there are no keys left')
    const http = new LeanClient(this.#world.facts.base_url)
    const tookMs: number[] = []
    for (let n = 0; n < count; n++) {
      const { id, beganAt } = await this.#order(buyer, http, key)
      await this.#untilCompleted()
      tookMs.push((await this.#finishedAt(id)) - beganAt)
    }
    http.close()
    return percentile(tookMs, 0.5)
  }

  /** Every command at the registry takes this long. */
  async slowRegistry(delayMs: number): Promise<void> {
    await fetch(`${this.#world.facts.registry.url}epp/behaviour`, { method: 'PUT', body: JSON.stringify({ delayMs }) })
  }

  /** Seconds until this many unpaid orders are cancelled, each with its event and its entry in the audit log. */
  async sweep(): Promise<number> {
    return await withDatabase(this.#world.ownerUrl, async (client) => {
      await client.query(
        `insert into orders (id, account_id, kind, name, tld, years, status, amount_kobo, credit_kobo, promo_code, promo_kobo, renewal_kobo,
           client_email, auto_renew, nameservers, expires_at)
         select 'ord_' || gen_random_uuid(), id, 'register', 'open' || gen_random_uuid() || '.test', 'test', 1, 'pending_payment', 1250000, 0, '', 0, 1400000,
           '', false, '{}', app_now() from accounts cross join generate_series(1, ${openOrders}) where email = $1`,
        [emailOf(0)],
      )
      const began = performance.now()
      await eventually(
        'every one is cancelled',
        async () =>
          (await client.query(`select 1 from orders where status = 'pending_payment' limit 1`)).rowCount === 0,
        120_000,
      )
      return (performance.now() - began) / 1000
    })
  }

  async #order({ contactId }: Buyer, http: LeanClient, key: string): Promise<{ id: string; beganAt: number }> {
    const name = `shop${++this.#names}.test`
    const quoteId = await made(http, '/quotes', key, { kind: 'register', name })
    const beganAt = Date.now()
    const wish = { quote_id: quoteId, contact_id: contactId, use_credit: true, expected_due_kobo: 0 }
    return { id: await made(http, '/orders', key, wish), beganAt }
  }

  async #untilCompleted(): Promise<void> {
    await withDatabase(this.#world.ownerUrl, (client) =>
      eventually(
        'all orders are completed',
        async () => (await client.query(`select 1 from orders where status = 'processing' limit 1`)).rowCount === 0,
        120_000,
      ),
    )
  }

  async #finishedAt(id: string): Promise<number> {
    return await withDatabase(this.#world.ownerUrl, async (client) => {
      const { rows } = await client.query<{ status: string; at: Date }>(
        'select status, finished_at as at from orders where id = $1',
        [id],
      )
      if (rows[0]?.status !== 'completed') throw new Error(`an order is ${rows[0]?.status}`)
      return rows[0].at.getTime()
    })
  }
}
