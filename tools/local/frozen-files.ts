import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checksumOf } from '@zonewright/service/migration-files'

/** Files that never change once they are listed, and the list of their checksums next to them. */
export interface FrozenFolder {
  /** Its path, as messages name it. */
  readonly name: string
  readonly path: string
  readonly endings: readonly string[]
  /** What to do instead of changing or removing a listed file: a sentence. */
  readonly instead: string
}

/** The list in each folder: an object of file names and SHA-256 checksums in hex. */
export const listName = 'checksums.json'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The frozen folders of the repository. */
export const frozenFolders: readonly FrozenFolder[] = [
  {
    name: 'service/migrations',
    path: join(root, 'service/migrations'),
    endings: ['.sql'],
    instead: 'Released migrations never change: restore the file, and write a new migration.',
  },
  {
    name: 'system-tests/releases',
    path: join(root, 'system-tests/releases'),
    endings: ['.sql', '.json'],
    instead: 'Released databases are never regenerated: restore the file.',
  },
]

/** The faults of a folder, a sentence each; empty if its list and its files agree. */
export async function checkFrozen(folder: FrozenFolder): Promise<string[]> {
  const [listed, found] = [await readList(folder), await readFiles(folder)]
  const faults: string[] = []
  for (const [file, checksum] of listed)
    if (!found.has(file)) faults.push(`${folder.name}/${file} is missing. ${folder.instead}`)
    else if (found.get(file) !== checksum)
      faults.push(`${folder.name}/${file} differs from its checksum in ${listName}. ${folder.instead}`)
  for (const file of found.keys())
    if (!listed.has(file))
      faults.push(`${folder.name}/${file} is not in ${listName}. Run \`npm run migrations\` and commit the list.`)
  return faults
}

/** Adds the files that the list lacks, and leaves every entry as it is. Returns the names that it added. */
export async function addToList(folder: FrozenFolder): Promise<string[]> {
  const [listed, found] = [await readList(folder), await readFiles(folder)]
  const added = [...found.keys()].filter((file) => !listed.has(file))
  if (added.length === 0) return []
  for (const file of added) listed.set(file, found.get(file) ?? '')
  const sorted = Object.fromEntries([...listed].sort(([a], [b]) => (a < b ? -1 : 1)))
  await writeFile(join(folder.path, listName), `${JSON.stringify(sorted, null, 2)}\n`)
  return added
}

/** @throws an Error whose message is for a person, if the list is not an object of this form. */
async function readList({ name, path }: FrozenFolder): Promise<Map<string, string>> {
  const text = await readFile(join(path, listName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${name}/${listName} cannot be read (${error.code}). Restore it from git.`)
  })
  const list = parse(text)
  if (typeof list !== 'object' || list === null || Array.isArray(list) || !Object.values(list).every(isChecksum))
    throw new Error(`${name}/${listName} is not a JSON object of file names and SHA-256 checksums. Restore it.`)
  return new Map(Object.entries(list as Record<string, string>))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isChecksum(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

async function readFiles({ path, endings }: FrozenFolder): Promise<Map<string, string>> {
  const names = (await readdir(path)).filter(
    (name) => name !== listName && endings.some((ending) => name.endsWith(ending)),
  )
  const read = names.sort().map(async (name) => [name, checksumOf(await readFile(join(path, name), 'utf8'))] as const)
  return new Map(await Promise.all(read))
}
