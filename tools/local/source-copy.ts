import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Folders without sources, wherever they are. */
const leftOut = new Set(['node_modules', '.git', '.cache', 'data', 'dist', 'coverage'])

/** The paths of the sources of a checkout, within its folder. */
export function* sourcesIn(root: string, folder = ''): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (leftOut.has(entry.name)) continue
    if (entry.isDirectory()) yield* sourcesIn(root, path)
    else yield path
  }
}

/**
 * Copies the sources of a checkout into an empty folder.
 *
 * The npm packages are links into the checkout. The workspaces are copies, so a change of one affects the others of the same copy.
 */
export function copySource(root: string, to: string): void {
  cpSync(root, to, { recursive: true, filter: (path) => !leftOut.has(basename(path)) })
  linkAllPackages(root, to)
}

/** Gives sources the npm packages of a checkout. */
export function linkAllPackages(root: string, to: string): void {
  for (const folder of ['', ...readdirSync(root).filter((name) => !leftOut.has(name))])
    linkPackages(join(root, folder, 'node_modules'), join(to, folder, 'node_modules'))
}

function linkPackages(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from).filter((entry) => entry !== '.cache')) {
    const path = join(from, name)
    if (name === '@zonewright') linkPackages(path, join(to, name))
    // A workspace: its relative link points into the copy.
    else if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), join(to, name))
    else symlinkSync(path, join(to, name))
  }
}
