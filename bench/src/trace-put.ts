// `npm run trace:put`: the files that a warm PUT of one rrset by a key passes through, by what V8 counts. Writes them to
// docs/reference/put-trace.md; with `--check`, fails if that page differs.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startWorld } from '@zonewright/system-tests/world'
import { untilDone } from './records/records.ts'

/** A function that ran. `at`: where it begins in its file, which tells those of one name apart. */
interface Ran {
  readonly url: string
  readonly name: string
  readonly at: number
}

/** PUTs before the first traced one: they fill the caches. */
const warmPuts = 300
/** PUTs that are traced. What runs in all of them is the PUT's own; timers run in some. */
const tracedPuts = 20

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = join(root, 'docs/reference/put-trace.md')

const found = pageOf(await trace())
if (process.argv.includes('--check')) {
  if ((await readFile(page, 'utf8').catch(() => '')) !== found) {
    process.stderr.write(
      'docs/reference/put-trace.md differs from what a PUT passes through. Run `npm run trace:put`.\n',
    )
    process.exitCode = 1
  }
} else {
  await writeFile(page, found)
  process.stdout.write(found)
}

/** How many functions of each file run in every warm PUT, sorted by file. */
async function trace(): Promise<ReadonlyMap<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-trace-'))
  const portFile = join(folder, 'port')
  const hook = fileURLToPath(new URL('./coverage-hook.cjs', import.meta.url))
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --require ${hook}`
  process.env['ZONEWRIGHT_COVERAGE_PORT_FILE'] = portFile
  const world = await startWorld()
  try {
    const take = async (): Promise<Ran[]> => {
      const port = await readFile(portFile, 'utf8')
      return (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Ran[]
    }
    const { name: zone } = world.facts.zone
    let n = 0
    const put = () => world.api.put(zone, `h${n % 50}`, 'A', [`192.0.2.${n++ % 250}`])
    for (let i = 0; i < warmPuts; i++) await put()
    let common: Ran[] = []
    for (let i = 0; i < tracedPuts; i++) {
      // The PUT before it must not be traced with this one: its change is announced and its event placed.
      await untilDone(world)
      await take()
      await put()
      const ran = await take()
      const keys = new Set(ran.map(keyOf))
      common = i === 0 ? ran : common.filter((each) => keys.has(keyOf(each)))
    }
    return byFile(common)
  } finally {
    await world.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function keyOf({ url, name, at }: Ran): string {
  return `${url} ${at} ${name}`
}

function byFile(ran: readonly Ran[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { url } of ran) {
    const file = fileURLToPath(url).slice(root.length)
    if (file.startsWith('bench/')) continue // the hook itself
    counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function pageOf(counts: ReadonlyMap<string, number>): string {
  const files = [...counts.keys()]
  const service = files.filter((file) => file.startsWith('service/src/'))
  const platform = service.filter((file) => file.startsWith('service/src/platform/'))
  const functions = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return `# Files of a PUT

Written by \`npm run trace:put\`. These files run in every PUT of one rrset with an API key, once caches are filled. The number says how many
functions of the file run every time.

${service.length} files of service/src (${service.length - platform.length} of modules, ${platform.length} of the platform); ${functions} functions in service and packages.

| file | functions |
| --- | --- |
${files.map((file) => `| ${file} | ${counts.get(file)} |`).join('\n')}
`
}
