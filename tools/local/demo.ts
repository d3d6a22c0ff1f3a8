import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What the sandbox's account is called, and what it hosts. */
export const demoEmail = 'demo@zonewright.test'
export const demoZone = 'example.test'

const admin = new URL('../../service/bin/admin.ts', import.meta.url).pathname

/** Makes the demo account and zone when missing, and a new key. Only hashes of keys are kept: each start needs its own. */
export async function makeDemo(
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ apiKey: string; zoneId: string }> {
  const { stdout } = await promisify(execFile)(process.execPath, [admin, 'demo', demoEmail, demoZone], {
    env: { ...process.env, ...env },
  })
  const made = JSON.parse(stdout) as { api_key: string; zone_id: string }
  return { apiKey: made.api_key, zoneId: made.zone_id }
}

/**
 * The demo webhook endpoint's secret: of the one made on the first run, or of a new one when that is gone.
 *
 * The secret is told once by the API, so it is kept with the sandbox's other secrets (`demo.json`, mode 0600).
 */
export async function demoWebhook(
  dataDir: string,
  api: { baseUrl: string; apiKey: string },
  url: string,
): Promise<{ id: string; secret: string }> {
  const path = join(dataDir, 'demo.json')
  const kept = existsSync(path)
    ? (JSON.parse(await readFile(path, 'utf8')) as { id: string; secret: string; url: string })
    : undefined
  const headers = { authorization: `Bearer ${api.apiKey}`, 'content-type': 'application/json' }
  if (kept?.url === url && (await fetch(`${api.baseUrl}/api/v1/webhooks/${kept.id}`, { headers })).ok) return kept
  const body = JSON.stringify({ url, description: 'The sandbox receiver' })
  const answer = await fetch(`${api.baseUrl}/api/v1/webhooks`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`The demo webhook was refused: ${await answer.text()}`)
  const made = (await answer.json()) as { id: string; secret: string }
  await writeFile(path, JSON.stringify({ id: made.id, secret: made.secret, url }), { mode: 0o600 })
  return made
}
