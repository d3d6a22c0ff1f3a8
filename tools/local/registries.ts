import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sandboxRegistries } from '@zonewright/service/registries'

/** Our account with the sandbox's registry. */
const registrar = 'zonewright'

/**
 * Writes the REGISTRIES file: the default TLDs on sale, connected to the sandbox's registry. Returns its path.
 *
 * The registry is polled for messages every second, and real ones every thirty, so that people who try something out do not have to wait.
 */
export async function writeRegistries(dataDir: string, eppDir: string, pollEveryS = 1): Promise<string> {
  const access = JSON.parse(await readFile(join(eppDir, `${registrar}.json`), 'utf8')) as object
  const epp = { ...access, poll_every_s: pollEveryS }
  const registries = sandboxRegistries.registries.map((registry) => ({ ...registry, epp }))
  const path = join(dataDir, 'registries.json')
  await writeFile(path, `${JSON.stringify({ registries }, undefined, 2)}\n`, { mode: 0o600 })
  return path
}
