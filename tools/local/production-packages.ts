/** The fields of a package in package-lock.json that are needed to count it. */
interface LockedPackage {
  readonly version?: string
  /** One of our own workspaces. */
  readonly link?: boolean
  /** Needed only for development. */
  readonly dev?: boolean
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly libc?: string | readonly string[]
  readonly hasInstallScript?: boolean
}

export interface LockFile {
  /** By the path of installation. */
  readonly packages: Readonly<Record<string, LockedPackage>>
}

export interface ProductionPackage {
  /** The name by which it is imported. */
  readonly name: string
  readonly version: string
  readonly hasInstallScript: boolean
}

const platform = { os: 'linux', cpu: 'x64', libc: 'glibc' } as const

/**
 * The third-party packages that `npm ci --omit=dev` installs on Linux (x64, glibc), by place. A package in two versions counts twice.
 * Only the lock file is read.
 */
export function productionPackages({ packages }: LockFile): ProductionPackage[] {
  return Object.entries(packages)
    .filter(([place, one]) => place.includes('node_modules/') && !one.link && !one.dev && isForPlatform(one))
    .map(([place, { version = '', hasInstallScript = false }]) => ({
      name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      hasInstallScript,
    }))
}

/** As npm decides it: a list names the supported platforms or, with `!`, the unsupported ones. */
function isForPlatform(one: LockedPackage): boolean {
  return (['os', 'cpu', 'libc'] as const).every((what) => {
    const words = [one[what] ?? []].flat()
    const refused = words.filter((word) => word.startsWith('!'))
    return refused.length === words.length ? !refused.includes(`!${platform[what]}`) : words.includes(platform[what])
  })
}
