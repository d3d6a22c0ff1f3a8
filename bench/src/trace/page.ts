/** What a page says of its flow. */
export interface TraceText {
  readonly title: string
  /** What runs: ends the sentence "These files run in". */
  readonly of: string
  /** The page of docs/flows. */
  readonly flow: string
}

/** The page of a flow's files; `counts` has how many functions of each file run. */
export function tracePage({ title, of, flow }: TraceText, name: string, counts: ReadonlyMap<string, number>): string {
  const files = [...counts.keys()]
  const functions = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return `# ${title}

Written by \`npm run trace ${name}\`. These files run in ${of}, once caches are filled.
The number is how many functions of the file run. See [the flow](../flows/${flow}.md).${leftOut[name] ?? ''}

${summary(files)}; ${functions} functions.

| file | functions |
| --- | --- |
${files.map((file) => `| ${file} | ${counts.get(file)} |`).join('\n')}
`
}

const leftOut: Readonly<Record<string, string>> = {
  event: ' Functions that also run in every PUT or in an idle installation are left out.',
  order: ' Functions that also run in an idle installation are left out.',
}

/** The files that such a page lists. */
export function listedFiles(page: string): string[] {
  return [...page.matchAll(/^\| (\S+\.[a-z]+) \| \d+ \|$/gm)].map(([, file = '']) => file)
}

function summary(files: readonly string[]): string {
  const service = files.filter((file) => file.startsWith('service/src/'))
  if (service.length === 0) return `${files.length} files`
  const modules = service.filter((file) => file.startsWith('service/src/modules/'))
  return `${service.length} files of service/src (${modules.length} of modules), ${files.length} in all`
}
