import { execFile } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The name of the sandbox's account, and its zone. */
export const demoEmail = 'demo@zonewright.test'
export const demoZone = 'example.test'

const admin = new URL('../../service/bin/admin.ts', import.meta.url).pathname

/** The data of the demo account that the sandbox stores (`demo.json`, mode 0600). No other file has it in plain text. */
interface DemoSecrets {
  readonly password: string
  /** In the form for an authenticator: base32. */
  readonly totp_secret: string
  /** The webhook endpoint that was created on the first run, because the API shows its secret only once. */
  readonly webhook?: { readonly id: string; readonly secret: string; readonly url: string }
}

/** The demo account as tools and tests need it. */
export interface Demo {
  readonly apiKey: string
  /** The TSIG data of the same key. */
  readonly tsig: { readonly name: string; readonly algorithm: string; readonly secret: string }
  readonly zoneId: string
  readonly password: string
  readonly totpSecret: string
}

/**
 * Creates the demo account, with a password and two-factor authentication, and its zone if they are missing, and a new key. Each start needs its
 * own key, because only hashes of keys are stored.
 */
export async function makeDemo(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
  { email, zone } = { email: demoEmail, zone: demoZone },
): Promise<Demo> {
  const { password, totp_secret: totpSecret } = await secretsOf(dataDir)
  const args = [admin, 'demo', email, zone, pathIn(dataDir)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
  const made = JSON.parse(stdout) as { api_key: string; tsig: Demo['tsig']; zone_id: string }
  return { apiKey: made.api_key, tsig: made.tsig, zoneId: made.zone_id, password, totpSecret }
}

/** The demo webhook endpoint with its secret: the one from the first run, or a new one if that is gone. */
export async function demoWebhook(
  dataDir: string,
  api: { baseUrl: string; apiKey: string },
  url: string,
): Promise<{ id: string; secret: string }> {
  const secrets = await secretsOf(dataDir)
  const kept = secrets.webhook
  const headers = { authorization: `Bearer ${api.apiKey}`, 'content-type': 'application/json' }
  if (kept?.url === url && (await fetch(`${api.baseUrl}/api/v1/webhooks/${kept.id}`, { headers })).ok) return kept
  const body = JSON.stringify({ url, description: 'The sandbox receiver' })
  const answer = await fetch(`${api.baseUrl}/api/v1/webhooks`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`The demo webhook was refused: ${await answer.text()}`)
  const { id, secret } = (await answer.json()) as { id: string; secret: string }
  await keep(dataDir, { ...secrets, webhook: { id, secret, url } })
  return { id, secret }
}

async function secretsOf(dataDir: string): Promise<DemoSecrets> {
  if (existsSync(pathIn(dataDir))) return JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as DemoSecrets
  const made = { password: randomBytes(12).toString('base64url'), totp_secret: newTotpSecret() }
  await keep(dataDir, made)
  return made
}

async function keep(dataDir: string, secrets: DemoSecrets): Promise<void> {
  await writeFile(pathIn(dataDir), JSON.stringify(secrets), { mode: 0o600 })
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

/** 32 letters and digits, each of them as a byte, in base32, as better-auth creates them. */
function newTotpSecret(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
  const bytes = Array.from({ length: 32 }, () => alphabet.charCodeAt(randomInt(alphabet.length)))
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = bits.match(/.{1,5}/g) ?? []
  return digits.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}
