/** The texts of a flow's page. */
export interface TraceText {
  readonly title: string
  /** The end of the sentence "This page lists the files that run for". */
  readonly of: string
  /** The page of docs/flows. */
  readonly flow: string
}

/** The page of a flow's files; `counts` has the number of functions that run in each file. */
export function tracePage({ title, of, flow }: TraceText, name: string, counts: ReadonlyMap<string, number>): string {
  const files = [...counts.keys()]
  const functions = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return `# ${title}

This page lists the files that run for ${of}.
\`npm run trace ${name}\` generates it from a run with filled caches. The second column shows how many functions of the file run.
See [the flow](../flows/${flow}.md).${leftOut[name] ?? ''}

${summary(files)} In total, ${functions} functions run.

| file | functions |
| --- | --- |
${files.map((file) => `| ${file} | ${counts.get(file)} |`).join('\n')}
`
}

const leftOut: Readonly<Record<string, string>> = {
  event: ' The page leaves out functions that also run for every PUT or in an idle installation.',
  order: ' The page leaves out functions that also run in an idle installation.',
}

/** The files that a page of a flow lists. */
export function listedFiles(page: string): string[] {
  return [...page.matchAll(/^\| (\S+\.[a-z]+) \| \d+ \|$/gm)].map(([, file = '']) => file)
}

function summary(files: readonly string[]): string {
  const service = files.filter((file) => file.startsWith('service/src/'))
  if (service.length === 0) return `The page lists ${files.length} files.`
  const modules = service.filter((file) => file.startsWith('service/src/modules/'))
  return `The page lists ${files.length} files. Of these, ${service.length} are in \`service/src\`, ${modules.length} of them in \`service/src/modules\`.`
}
