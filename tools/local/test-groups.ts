import { readFileSync } from 'node:fs'

/** More would hold more connections to PostgreSQL: each file keeps its own until the last test of its process is done. */
const mostTogether = 8

/** Before its first test, a process takes 0.2 s of processor time, and 2 s with the service. Other files mostly start programs, and wait for them. */
const sharing = /^(service|packages|dashboard)\//

/** What would reach the tests of other files in its process, or be disturbed by them: hooks for all tests, what is global, measurements. */
const aloneIf =
  /^\s*(before|beforeEach|afterEach)\(|\bmock\.|process\.(env|on|once|exit|cpuUsage|memoryUsage|chdir)\b|setDefaultCACertificates|nameStatements\(|longest-turn|cpu-ms/m

/**
 * Groups test files, in their order: those of a group run in one process.
 *
 * Files without company come first: the longest are among them, and one that began last would run on when all others are done.
 */
export function groupTests(
  files: readonly string[],
  read = (file: string) => readFileSync(file, 'utf8'),
): readonly (readonly string[])[] {
  const alone: string[][] = []
  const together: string[][] = []
  for (const file of files) {
    const group = together.at(-1)
    if (!sharing.test(file) || aloneIf.test(read(file))) alone.push([file])
    else if (group === undefined || group.length === mostTogether) together.push([file])
    else group.push(file)
  }
  return [...alone, ...together]
}
