import assert from 'node:assert/strict'
import { Browser, freshCode, type World } from '../../world/index.ts'

/** An API key with a TSIG secret. */
export interface TsigKey {
  readonly id: string
  /** The name of the TSIG key. */
  readonly name: string
  readonly secret: string
  /** The configuration that the dashboard offers for a program, with the secret filled in. */
  configuration(program: string): Promise<string>
}

/** Keys of one account have different names. */
let made = 0

/** Creates an API key with a TSIG secret as the owner of the account does: the key for some zones, its secret and its configurations in the dashboard. */
export async function tsigKey(
  world: World,
  zones: readonly string[],
  permissions: readonly string[],
): Promise<TsigKey> {
  const { account, base_url: baseUrl } = world.facts
  const { email, password } = account
  const named = ['--zones', zones.join(), '--permissions', permissions.join()]
  const { id } = JSON.parse(await world.admin('key', 'create', email, `signer ${++made}`, ...named)) as { id: string }
  const dashboard = new Browser(baseUrl)
  assert.equal((await dashboard.call('POST', '/api/auth/sign-in/email', { email, password })).status, 200)
  const code = async () => ({ code: await freshCode(account.totp_secret) })
  assert.equal((await dashboard.call('POST', '/api/auth/two-factor/verify-totp', await code())).status, 200)
  const answer = await dashboard.call('POST', `/api/v1/api-keys/${id}/tsig`, await code())
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const { name, secret } = answer.body as { name: string; secret: string }
  return {
    id,
    name,
    secret,
    configuration: async (program) => {
      const headers = { cookie: dashboard.cookieHeader, origin: baseUrl }
      const answer = await fetch(`${baseUrl}/api/v1/api-keys/${id}/tsig/config?for=${program}`, { headers })
      assert.equal(answer.status, 200)
      const text = await answer.text()
      assert.ok(text.includes('SECRET'), text)
      return text.replaceAll(/\bSECRET\b/g, secret)
    },
  }
}
