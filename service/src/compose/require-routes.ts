import { type Route, type RouteGroup, routeGroups } from '@zonewright/contract'
import { CannotStart } from '#platform/cannot-start.ts'

/** @throws CannotStart with a line for each route of the contract that is not among these: which, and what to do */
export function requireRoutes(mounted: readonly Route[]): void {
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
  if (faults.length > 0) throw new CannotStart(faults.join('\n'))
}
