import type { ImportGraph } from './import-graph.ts'

/** What a newcomer has to know before a change: each figure with what it counts. */
export interface HouseFigure {
  readonly name: string
  /** What to look at if it is above its limit. */
  readonly of: readonly string[]
}

const modulesFolder = 'service/src/modules/'
/** One file per mail: their number is the number of mails. */
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

/** The files of one module, without its tests, what only they use, and the mails themselves. */
export function filesOf(graph: ImportGraph, module: string): HouseFigure {
  const files = moduleFiles(graph).filter((file) => file.startsWith(`${modulesFolder}${module}/`))
  return { name: `files of the module ${module}`, of: files.filter((file) => !file.startsWith(mails)) }
}

function moduleFiles(graph: ImportGraph): string[] {
  return graph.files(`${modulesFolder}**/*.ts`).filter((file) => !/\/test-[^/]*$/.test(file))
}
