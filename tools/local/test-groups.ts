import { readFileSync } from 'node:fs'

/** How the test files of a run are spread over processes. */
interface TestGroups {
  /** Each in a process of its own. */
  readonly alone: readonly string[]
  /** The files of each group in one process, which loads what they import once. */
  readonly together: readonly (readonly string[])[]
}

/** More would hold more connections to PostgreSQL: each file keeps its own until the last test of its process is done. */
const mostTogether = 6

/** The service: a test file of it loads up to 1,600 modules, which takes as much processor time as the tests of many a file. */
const heavy = /^service\/(bin|src\/(modules|adapters|http|compose))\//

/** What would reach the tests of other files in its process, or be disturbed by them: hooks for all tests, what is global, measurements. */
const aloneIf =
  /^\s*(before|beforeEach|afterEach)\(|\bmock\.|process\.(env|on|once|exit|cpuUsage|memoryUsage|chdir)\b|setDefaultCACertificates|longest-turn|cpu-ms/m

/** Groups test files, in their order. */
export function groupTests(files: readonly string[], read = (file: string) => readFileSync(file, 'utf8')): TestGroups {
  const alone: string[] = []
  const together: string[][] = []
  for (const file of files) {
    const group = together.at(-1)
    if (!heavy.test(file) || aloneIf.test(read(file))) alone.push(file)
    else if (group === undefined || group.length === mostTogether) together.push([file])
    else group.push(file)
  }
  return { alone, together }
}
