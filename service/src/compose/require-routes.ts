import { doorRoutes, type RouteGroup, routeGroups } from '@zonewright/contract'
import { CannotStart } from '#platform/cannot-start.ts'

/** @throws CannotStart with one line for each missing route of the contract and of the doors: which one, and what to do */
export function requireRoutes(mounted: readonly { readonly id: string }[]): void {
  const ids = new Set(mounted.map(({ id }) => id))
  const groups: [module: string, group: RouteGroup][] = Object.entries(routeGroups)
  const faults = groups.flatMap(([module, { routes }]) =>
    Object.values(routes)
      .filter(({ id }) => !ids.has(id))
      .map(
        ({ id, method, path }) =>
          `The contract has ${method} ${path} (${id}), but nothing mounts it. Mount it in service/src/modules/${module}/routes.ts, and ` +
          "call the module's mount function in service/src/compose/mount-routes.ts.",
      ),
  )
  for (const { id, methods, path } of doorRoutes.filter(({ id }) => !ids.has(id)))
    faults.push(
      `The contract has ${methods.join(' and ')} ${path} (${id}), but nothing mounts it. Mount it in the module of its door, and call the ` +
        "module's mount function in service/src/compose/mount-routes.ts.",
    )
  if (faults.length > 0) throw new CannotStart(faults.join('\n'))
}
