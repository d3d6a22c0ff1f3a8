import type { Configuration } from '#platform/configuration.ts'
import type { TldSetting } from '#platform/registries-setting.ts'
import type { Registries } from '#ports/registry.ts'

/** What is sold, and the registries that it is bought from. None is connected yet: every name's registry is unavailable. */
export function registriesOf({ registries }: Configuration): {
  readonly tlds: readonly TldSetting[]
  readonly registries: Registries
} {
  return {
    tlds: registries.flatMap(({ tlds }) => tlds),
    registries: { all: [], registryOf: () => undefined, close: async () => undefined },
  }
}
