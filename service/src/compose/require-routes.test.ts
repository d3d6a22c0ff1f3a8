import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doorRoutes, type RouteGroup, routeGroups, routes } from '@zonewright/contract'
import { CannotStart } from '#platform/cannot-start.ts'
import { requireRoutes } from './require-routes.ts'

/** The error message for these mounted routes. Undefined if it starts. */
function said(mounted: readonly { readonly id: string }[]): string | undefined {
  try {
    requireRoutes(mounted)
    return undefined
  } catch (error) {
    assert.ok(error instanceof CannotStart)
    return error.message
  }
}

const all: readonly { readonly id: string }[] = [...routes, ...doorRoutes]

test('starts with every route of the contract, even with additional routes', () => {
  assert.equal(said(all), undefined)
  assert.equal(said([...all].reverse()), undefined)
  assert.equal(said([...all, { id: 'another' }]), undefined)
})

test('names each missing route, with the file to mount it in', () => {
  const groups: [module: string, group: RouteGroup][] = Object.entries(routeGroups)
  for (const [module, group] of groups)
    for (const { id, method, path } of Object.values(group.routes)) {
      const message = said(all.filter((route) => route.id !== id)) ?? ''
      assert.equal(
        message,
        `The contract has ${method} ${path} (${id}), but nothing mounts it. Mount it in service/src/modules/${module}/routes.ts, ` +
          "and call the module's mount function in service/src/compose/mount-routes.ts.",
      )
    }
})

test('names each missing route of a door', () => {
  for (const { id, methods, path } of doorRoutes) {
    const message = said(all.filter((route) => route.id !== id)) ?? ''
    assert.ok(
      message.startsWith(`The contract has ${methods.join(' and ')} ${path} (${id}), but nothing mounts it.`),
      message,
    )
  }
})

test('several are named in a line each', () => {
  const without = ['listZones', 'putRrset', 'createKey', 'getCredit', 'listAudit', 'checkIp']
  const lines = said(all.filter(({ id }) => !without.includes(id)))?.split('\n') ?? []
  assert.equal(lines.length, all.filter(({ id }) => without.includes(id)).length)
  assert.equal(said([])?.split('\n').length, all.length)
})
