import type { ImportGraph } from './import-graph.ts'

/** What a newcomer has to know before a change: figures, each with the items that it counts. */
export interface HouseFigure {
  readonly name: string
  /** What to look at if it is above its limit. */
  readonly of: readonly string[]
}

const modulesFolder = 'service/src/modules/'
/** One file per email, so their number is the number of emails. */
const mails = `${modulesFolder}mail/messages/`

/** Names that modules import from the platform, types included. */
export function platformNames(graph: ImportGraph): HouseFigure {
  const names = moduleFiles(graph).flatMap((file) =>
    graph
      .importsOf(file)
      .filter(({ specifier }) => /^#(?:platform|http)\//.test(specifier))
      .flatMap(({ names }) => names),
  )
  return { name: 'names that modules import from #platform and #http', of: [...new Set(names)].sort() }
}

/** Groups of product files that import each other in a circle, type imports included. */
export function circles(graph: ImportGraph): HouseFigure {
  const globs = ['service/{src,bin}', 'nameserver/{src,bin}', 'packages/*/src', 'dashboard/src', 'sandbox/src']
  const files = globs.flatMap((folder) => graph.files(`${folder}/**/*.{ts,tsx}`))
  return {
    name: 'circular imports between files, type imports included',
    of: graph.circles(files).map((group) => group.join(' ')),
  }
}

/** The files of one module, without its tests, files that only these use, and the emails themselves. */
export function filesOf(graph: ImportGraph, module: string): HouseFigure {
  const files = moduleFiles(graph).filter((file) => file.startsWith(`${modulesFolder}${module}/`))
  return { name: `files of the module ${module}`, of: files.filter((file) => !file.startsWith(mails)) }
}

/** The table of routes that represents a new group, and the function that mounts it. */
const exampleGroup = { file: 'packages/contract/src/checklist.ts', names: ['checklistRoutes', 'mountChecklistRoutes'] }

/**
 * The files that a new group of routes needs: those that name an existing one, its own, and the table of who may call. Files that a
 * command writes (openapi.json, docs/reference/routes.md) are left out.
 */
export function filesOfGroup(graph: ImportGraph): HouseFigure {
  const files = ['service/{src,bin}', 'packages/contract/src', 'dashboard/src', 'bench/src', 'system-tests'].flatMap(
    (folder) => graph.files(`${folder}/**/*.{ts,tsx}`, { tests: true }),
  )
  const naming = files.filter((file) =>
    graph
      .importsOf(file)
      .some(({ names, path }) => path === exampleGroup.file || names.some((name) => exampleGroup.names.includes(name))),
  )
  const whoMayCall = `${modulesFolder}api-keys/who-may-call.test.ts`
  return {
    name: 'files to edit for a new group of routes',
    of: [...new Set([exampleGroup.file, ...naming, whoMayCall])].sort(),
  }
}

function moduleFiles(graph: ImportGraph): string[] {
  return graph.files(`${modulesFolder}**/*.ts`).filter((file) => !/\/test-[^/]*$/.test(file))
}
