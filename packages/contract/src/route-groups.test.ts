import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { doorRoutes } from './door-routes.ts'
import { type RouteGroup, routeGroups } from './route-groups.ts'
import { routes } from './routes.ts'

const groups: [name: string, group: RouteGroup][] = Object.entries(routeGroups)

test('every route is in its group under its id', () => {
  for (const [name, group] of groups)
    for (const [key, { id }] of Object.entries(group.routes)) assert.equal(key, id, `a route of ${name}`)
})

test('each group has a file with its name', () => {
  const files = new Set(globSync('*.ts', { cwd: fileURLToPath(new URL('.', import.meta.url)) }))
  for (const [name] of groups) assert.ok(files.has(`${name}.ts`), `There is no ${name}.ts. Name the file as its group.`)
})

test('every route table that a file of the contract exports is in a group, or in the list of doors', async () => {
  const grouped = new Set<object>([...routes, ...doorRoutes])
  for (const file of globSync('*.ts', { cwd: fileURLToPath(new URL('.', import.meta.url)), exclude: ['*.test.ts'] })) {
    const exported = (await import(`./${file}`)) as Record<string, unknown>
    for (const [name, table] of Object.entries(exported).filter(([name]) => /^\w+Routes$/.test(name)))
      for (const route of Object.values(table as RouteGroup['routes']))
        assert.ok(
          grouped.has(route),
          `${route.id} is in no group: add ${name} of ${file} to route-groups.ts or to doorRoutes.`,
        )
  }
})
