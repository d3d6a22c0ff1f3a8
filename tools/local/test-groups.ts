import { readFileSync } from 'node:fs'

/** More would hold more connections to PostgreSQL: each file keeps its own until the last test of its process is done. */
const mostTogether = 8

/** Before its first test, a process takes 0.2 s of processor time, and 2 s with the service. Other files mostly start programs, and wait for them. */
const sharing = /^(service|packages|dashboard)\//

/** Things that affect tests of other files in the process, or are affected by them: hooks for all tests, global state, measurements. */
const aloneIf =
  /^\s*(before|beforeEach|afterEach)\(|\bmock\.|process\.(env|on|once|exit|cpuUsage|memoryUsage|chdir)\b|setDefaultCACertificates|nameStatements\(|longest-turn|cpu-ms/m

/**
 * Groups test files, in order. Those of a group run in one process.
 *
 * Files that run alone come first, because the longest are among them, and one that began last would still run when all others are done.
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
