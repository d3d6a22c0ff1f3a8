import assert from 'node:assert/strict'
import { Api, askUdp, Browser, eventually, freshCode, type World } from '../world/index.ts'

/** Zones that are created and deleted have one of this many names, so that the stored serials of names do not grow. */
const childNames = 10

/**
 * Returns what a person does at a visit to the dashboard: signs in, creates a key, and with it a zone and a webhook endpoint, deletes all of
 * them, and signs out. It checks each effect: the nameservers serve the zone, and then no longer do, and the key no longer works.
 *
 * A visit needs two new codes of the authenticator, so that there cannot be more than two in a minute.
 */
export function dashboardVisits({ facts }: World): (visit: number) => Promise<void> {
  const { email, password, totp_secret: totp } = facts.account
  const browser = new Browser(facts.base_url)
  const person = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await browser.call(method, path, body)
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return async (visit) => {
    await person(200, 'POST', '/api/auth/sign-in/email', { email, password })
    await person(200, 'POST', '/api/auth/two-factor/verify-totp', { code: await freshCode(totp) })
    await person(200, 'GET', '/api/v1/account')
    await person(200, 'GET', '/api/v1/audit-log?limit=50')
    const key = await person(201, 'POST', '/api/v1/api-keys', {
      name: `visit ${visit}`,
      zones: 'all',
      permissions: ['zones:manage', 'webhooks:manage'],
      expires_in: '30d',
      code: await freshCode(totp),
    })
    const api = new Api(facts.base_url, [String(key['secret'])])
    const program = async (status: number, method: string, path: string, body?: unknown) => {
      const answer = await api.call(method, path, body)
      assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const zone = `visit-${visit % childNames}.${facts.zone.name}`
    await program(201, 'POST', '/zones', { name: zone })
    // No event of this type happens in the meantime.
    const wish = { url: new URL('visit', facts.receiver_url), events: ['order.refunded'] }
    const endpoint = await program(201, 'POST', '/webhooks', wish)
    const untilServed = async (isWanted: boolean) => {
      for (const { address } of facts.nameservers)
        await eventually(`${address} ${isWanted ? 'serves' : 'no longer serves'} ${zone}`, async () => {
          const { answers } = await askUdp(address, zone, 'SOA')
          return (answers.length === 1) === isWanted
        })
    }
    await untilServed(true)
    await program(204, 'DELETE', `/webhooks/${endpoint['id']}`)
    await person(204, 'DELETE', `/api/v1/zones/${zone}`, { name: zone })
    await untilServed(false)
    await person(204, 'DELETE', `/api/v1/api-keys/${key['id']}`)
    await program(401, 'GET', '/api-keys/current')
    await person(200, 'POST', '/api/auth/sign-out', {})
    await person(401, 'GET', '/api/v1/account')
  }
}
