import { type Route, type RouteGroup, routeGroups } from '@zonewright/contract'

/** docs/reference/routes.md: every route of the API, by the module that mounts it. */
export function routesPage(): string {
  const groups: [module: string, group: RouteGroup][] = Object.entries(routeGroups)
  return [
    '# Routes',
    '',
    'This page lists the routes of the API. `npm run openapi` generates it from `packages/contract/src/route-groups.ts`. Each heading is the name of the',
    'module that mounts the routes (`service/src/modules/<module>/`). The schemas of the routes are in `packages/contract/src/<module>.ts`. Paths are below',
    '`/api/v1`.',
    ...groups.flatMap(([module, { routes }]) => ['', ...section(module, Object.values(routes))]),
    '',
  ].join('\n')
}

function section(module: string, routes: readonly Route[]): string[] {
  return [
    `## ${module}`,
    '',
    '| route | id | who may call it |',
    '| --- | --- | --- |',
    ...routes.map(({ id, method, path, who }) => `| \`${method} ${path}\` | \`${id}\` | ${callers(who)} |`),
  ]
}

/** Who may call a route, in words. */
function callers(who: Route['who']): string {
  if (who === 'public') return 'everyone'
  if (who === 'session') return 'a session of the dashboard'
  if (who === 'any-key') return 'any key'
  return `a key with ${who.map((permission) => `\`${permission}\``).join(' or ')}; a session`
}
