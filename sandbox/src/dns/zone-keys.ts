import { createPrivateKey, type KeyObject } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newPrivateKey, type SigningKey, signingKey } from '@zonewright/dns/node'

/** A signing key for each zone. With a folder, the keys are the same after a restart, so that trust anchors remain valid. */
export async function zoneKeys(zones: readonly string[], dataDir?: string): Promise<ReadonlyMap<string, SigningKey>> {
  const keys = await Promise.all(
    zones.map(async (zone) => {
      const key = dataDir === undefined ? newPrivateKey() : await keptKey(join(dataDir, 'dnssec'), zone)
      return [zone, signingKey(key)] as const
    }),
  )
  return new Map(keys)
}

async function keptKey(folder: string, zone: string): Promise<KeyObject> {
  const file = join(folder, `${zone}.pem`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return createPrivateKey(kept)
  const key = newPrivateKey()
  await writeFile(file, key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  return key
}
