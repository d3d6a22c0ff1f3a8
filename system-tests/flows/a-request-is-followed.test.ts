// Follows the id of one request from its response to everything that it started, in the log of the service, however much later.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { eventually, Shopper, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const { api, facts } = world

interface LogLine {
  readonly msg: string
  readonly requestId?: string
  readonly requestIds?: readonly string[]
  readonly type?: string
  readonly kind?: string
}

/** Waits until a log line of a request has these members. */
async function untilLogged(requestId: string, wanted: Partial<LogLine>): Promise<void> {
  await eventually(`${JSON.stringify(wanted)} of ${requestId}`, async () => {
    const text = await readFile(join(world.dataDir, 'logs', 'service.log'), 'utf8')
    const lines = text.split('\n').filter((line) => line.includes(requestId) && line.endsWith('}'))
    const own = lines.map((line) => JSON.parse(line) as LogLine)
    return own.find((line) => Object.entries(wanted).every(([name, value]) => line[name as keyof LogLine] === value))
  })
}

function idOf(headers: Headers): string {
  const id = headers.get('x-request-id') ?? ''
  assert.match(id, /^req_[0-9a-f]{32}$/)
  return id
}

test('the log shows the publication and the delivery of a change of records by its request id', async () => {
  const { headers } = await api.put(facts.zone.name, 'followed', 'A', ['192.0.2.1'])
  await untilLogged(idOf(headers), { msg: 'changes are served by every nameserver' })
  await untilLogged(idOf(headers), { msg: 'webhook sent', type: 'zone.records_changed' })
})

test('the log shows the email of a sign-up by its request id', async () => {
  const answer = await fetch(`${facts.base_url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: facts.base_url },
    body: JSON.stringify({ email: 'followed@example.net' }),
  })
  assert.equal(answer.status, 200, await answer.text())
  await untilLogged(idOf(answer.headers), { msg: 'email sent', kind: 'finish_sign_up' })
})

test('the log shows the delivered event of an order by its request id', async () => {
  const shopper = await Shopper.at(world)
  await world.admin('promo', 'create', 'GIFT', '--percent', '100')
  const wish = await shopper.wish('followed.test', { quote: { promo_code: 'GIFT' } })
  const { status, headers } = await api.call('POST', '/orders', wish)
  assert.equal(status, 201)
  await untilLogged(idOf(headers), { msg: 'webhook sent', type: 'order.completed' })
})

test('an error response has the same request id in header and body', async () => {
  const { headers, body } = await api.call<{ error: { request_id: string } }>('GET', '/zones/nowhere.example')
  assert.equal(body.error.request_id, idOf(headers))
})
