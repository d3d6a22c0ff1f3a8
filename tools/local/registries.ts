import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sandboxRegistries } from '@zonewright/service/registries'

/** Our account with the sandbox's registry. */
const registrar = 'zonewright'

/** Writes the REGISTRIES file: what is sold out of the box, connected to the sandbox's registry. Returns its path. */
export async function writeRegistries(dataDir: string, eppDir: string): Promise<string> {
  const access = JSON.parse(await readFile(join(eppDir, `${registrar}.json`), 'utf8')) as object
  // A second, where real ones are asked every thirty: who tries something out does not wait.
  const epp = { ...access, poll_every_s: 1 }
  const registries = sandboxRegistries.registries.map((registry) => ({ ...registry, epp }))
  const path = join(dataDir, 'registries.json')
  await writeFile(path, `${JSON.stringify({ registries }, undefined, 2)}\n`, { mode: 0o600 })
  return path
}
