import type { Registries } from '#ports/registry.ts'

/** How many items of work a process has in progress at each registry, so that a registry that hangs leaves room for the others. */
export interface RegistryShares {
  readonly max: number
  /** The ids of all registries. */
  readonly all: readonly string[]
  /** The registry of a name; '' if there is none. */
  of(item: { readonly name: string }): string
  /** The TLDs of these registries. */
  tldsOf(shares: readonly string[]): string[]
}

export function registryShares({ registryOf, all }: Registries, max: number): RegistryShares {
  return {
    max,
    all: all.map(({ id }) => id),
    of: ({ name }) => registryOf(name)?.id ?? '',
    tldsOf: (shares) => all.filter(({ id }) => shares.includes(id)).flatMap(({ tlds }) => tlds),
  }
}
