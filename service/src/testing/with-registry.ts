import type { Registries, Registry } from '#ports/registry.ts'

/** The same work, at which every name is this registry's; undefined: no registry is configured. */
export function withRegistry<Work extends { readonly registries: Registries }>(
  work: Work,
  registry: Registry | undefined,
): Work {
  return { ...work, registries: { ...work.registries, registryOf: () => registry } }
}
