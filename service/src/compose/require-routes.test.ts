import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RouteGroup, routeGroups, routes } from '@zonewright/contract'
import { CannotStart } from '#platform/cannot-start.ts'
import { requireRoutes } from './require-routes.ts'

/** What is said when these are mounted; undefined: it starts. */
function said(mounted: readonly (typeof routes)[number][]): string | undefined {
  try {
    requireRoutes(mounted)
    return undefined
  } catch (error) {
    assert.ok(error instanceof CannotStart)
    return error.message
  }
}

test('with every route of the contract, and others beside them, it starts', () => {
  assert.equal(said(routes), undefined)
  assert.equal(said([...routes].reverse()), undefined)
  assert.equal(said([...routes, { ...routes[0], id: 'another' } as (typeof routes)[number]]), undefined)
})

test('each route that is left out is named, with the file to mount it in', () => {
  const groups: [module: string, group: RouteGroup][] = Object.entries(routeGroups)
  for (const [module, group] of groups)
    for (const { id, method, path } of Object.values(group.routes)) {
      const message = said(routes.filter((route) => route.id !== id)) ?? ''
      assert.equal(
        message,
        `The contract has ${method} ${path} (${id}), but nothing mounts it. Mount it in service/src/modules/${module}/routes.ts, ` +
          "and call the module's mount function in service/src/compose/mount-routes.ts.",
      )
    }
})

test('several are named in a line each', () => {
  const without = ['listZones', 'putRrset', 'createKey', 'getCredit', 'listAudit']
  const lines = said(routes.filter(({ id }) => !without.includes(id)))?.split('\n') ?? []
  assert.equal(lines.length, routes.filter(({ id }) => without.includes(id)).length)
  assert.equal(said([])?.split('\n').length, routes.length)
})
