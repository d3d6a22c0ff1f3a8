import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { linkAllPackages } from '../../tools/local/source-copy.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The release before this version. A clone may be without its tag. */
export const previousRelease = { tag: 'v0.1.0', commit: 'c744f44a3e5d37caac2c886c0f8922b9a645511f' } as const

/**
 * Unpacks the code of the previous release into a new folder, with the npm packages of this checkout.
 *
 * It is taken from the history of this clone, or from the archive that PREVIOUS_RELEASE names, which `npm run release` has made.
 */
export function unpackPreviousRelease(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const { options, archive } = contents()
  execFileSync('tar', ['-x', '-C', folder, ...options], { input: archive })
  linkAllPackages(root, folder)
}

function contents(): { readonly options: readonly string[]; readonly archive?: Buffer } {
  const given = process.env['PREVIOUS_RELEASE']
  if (given !== undefined) return { options: ['--strip-components=1', '-f', given] }
  const { tag, commit } = previousRelease
  const { status, stdout } = spawnSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 28 })
  if (status === 0) return { options: [], archive: stdout }
  throw new Error(
    `This clone does not have the commit of ${tag} (${commit}). Run \`git fetch --unshallow\`, or set PREVIOUS_RELEASE to zonewright-0.1.0.tar.gz.`,
  )
}
