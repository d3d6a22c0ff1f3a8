import type { Registries, Registry } from '#ports/registry.ts'

/** The same work with this registry for every name. Undefined: no registry is configured. */
export function withRegistry<Work extends { readonly registries: Registries }>(
  work: Work,
  registry: Registry | undefined,
): Work {
  return { ...work, registries: { ...work.registries, registryOf: () => registry } }
}
