// Writes the service's import rules into biome.json and the table of levels into ARCHITECTURE.md, from
// tools/local/module-levels.ts; with --check, says whether they are up to date.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isServiceRule, levelsTable, type Override, serviceRules } from './local/import-rules.ts'
import { writeOrCheck } from './local/written-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

writeOrCheck(
  { 'biome.json': withRules(read('biome.json')), 'ARCHITECTURE.md': withTable(read('ARCHITECTURE.md')) },
  'npm run import-rules',
)

function read(file: string): string {
  return readFileSync(`${root}${file}`, 'utf8')
}

/** The service's rules replace the first existing one in its place. */
function withRules(text: string): string {
  const configuration: { overrides: Override[] } = JSON.parse(text)
  const { overrides } = configuration
  const place = overrides.findIndex(isServiceRule)
  const others = overrides.filter((override) => !isServiceRule(override))
  configuration.overrides = others.toSpliced(place < 0 ? others.length : place, 0, ...serviceRules())
  return formatted(JSON.stringify(configuration, undefined, 2))
}

function formatted(json: string): string {
  const biome = `${root}node_modules/@biomejs/biome/bin/biome`
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'format', '--stdin-file-path=biome.json'], {
    cwd: root,
    input: json,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`biome cannot format biome.json: ${stderr}`)
  return stdout
}

function withTable(text: string): string {
  const between = /(<!-- npm run import-rules -->\n)[\s\S]*?(\n<!-- end -->)/
  if (!between.test(text)) throw new Error('ARCHITECTURE.md has no <!-- npm run import-rules --> … <!-- end -->')
  return text.replace(between, (_, start: string, end: string) => `${start}${levelsTable()}${end}`)
}
