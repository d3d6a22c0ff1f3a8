import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { startWorld } from '@zonewright/system-tests/world'

/** A working tree of this repository whose programs can be started: this one, or one of another commit. */
export interface Checkout {
  /** Its commit, with `+` if files differ from it. */
  readonly commit: string
  readonly folder: string
  /** Starts an installation of its programs. */
  readonly startWorld: typeof startWorld
}

export const thisFolder = fileURLToPath(new URL('../../..', import.meta.url))

/** @throws Error with one line if the folder is not a checkout, or its packages are not installed */
export async function openCheckout(path: string): Promise<Checkout> {
  const folder = resolve(path)
  const world = join(folder, 'system-tests/world/index.ts')
  if (!existsSync(world)) throw new Error(`${folder} is not a checkout of this repository.`)
  if (!existsSync(join(folder, 'node_modules'))) throw new Error(`Packages are missing: run "npm ci" in ${folder}.`)
  const { startWorld: start } = (await import(pathToFileURL(world).href)) as { startWorld: typeof startWorld }
  return { commit: commitOf(folder), folder, startWorld: start }
}

function commitOf(folder: string): string {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
  return git('rev-parse', '--short', 'HEAD') + (isChanged ? '+' : '')
}
