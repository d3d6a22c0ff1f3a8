import type { ImportGraph } from './import-graph.ts'

/** The module that makes test databases. Every test file that needs one loads it. */
const testDatabase = /\/test-database\.ts$/

/** Whether any test file that these paths and globs name needs a database. Paths are relative to the graph's root. */
export function needsDatabase(graph: ImportGraph, globs: readonly string[]): boolean {
  return globs
    .flatMap((glob) => graph.files(glob, { tests: true }))
    .some((file) => [...graph.reachable(file)].some((path) => testDatabase.test(path)))
}
