import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sandboxRegistries } from '@zonewright/service/registries'

/** Our account with the sandbox's registry. */
const registrar = 'zonewright'

/**
 * Writes the REGISTRIES file: what is sold out of the box, connected to the sandbox's registry. Returns its path.
 *
 * The registry is asked for messages every second, where real ones are asked every thirty: who tries something out does not wait.
 */
export async function writeRegistries(dataDir: string, eppDir: string, pollEveryS = 1): Promise<string> {
  const access = JSON.parse(await readFile(join(eppDir, `${registrar}.json`), 'utf8')) as object
  const epp = { ...access, poll_every_s: pollEveryS }
  const registries = sandboxRegistries.registries.map((registry) => ({ ...registry, epp }))
  const path = join(dataDir, 'registries.json')
  await writeFile(path, `${JSON.stringify({ registries }, undefined, 2)}\n`, { mode: 0o600 })
  return path
}
