import { moduleLevels } from './module-levels.ts'

/** One entry of `overrides` in biome.json. */
export interface Override {
  readonly includes: readonly string[]
}

interface Pattern {
  readonly group: readonly string[]
  readonly message: string
}

const flat: Pattern = {
  group: ['../**'],
  message: 'Modules are flat folders without `../`. Import #modules/<name>/index.ts.',
}
const noAdapters: Pattern = {
  group: ['#adapters/**', '#compose/**'],
  message: 'Only compose, bin and tests may import adapters. Use the port, and let service/src/compose pass it in.',
}
const noHarness: Pattern = { group: ['#testing/**'], message: 'Only tests may import service/src/testing.' }

/**
 * The import rules of the service's folders. Of several entries that include a file, the last one counts.
 *
 * @param levels see `moduleLevels`
 */
export function serviceRules(levels: readonly (readonly string[])[] = moduleLevels): Override[] {
  return [
    rule('service/src/modules/**', [
      flat,
      noAdapters,
      noHarness,
      {
        group: ['#modules/**'],
        message: 'This module has no level. Add it to tools/local/module-levels.ts, and run `npm run import-rules`.',
      },
    ]),
    ...levels.map((modules, place) => levelRule(modules, levels.slice(place + 1).flat())),
    rule('service/src/adapters/**', [
      noHarness,
      {
        group: ['#modules/**', '#compose/**', '#http/**'],
        message: 'Adapters import ports, the platform and libraries, but no module.',
      },
    ]),
    rule('service/src/http/**', [
      noHarness,
      {
        group: ['#modules/**', '#adapters/**', '#compose/**'],
        message: 'http imports the platform, but no module and no adapter.',
      },
    ]),
    rule('service/src/{ports,platform}/**', [
      noHarness,
      {
        group: ['#modules/**', '#adapters/**', '#compose/**', '#http/**'],
        message: 'Ports and platform import no module, no adapter and nothing from service/src/http.',
      },
    ]),
    rule('service/src/compose/**', [noHarness]),
  ]
}

/** Whether an entry of biome.json is one of `serviceRules`. */
export function isServiceRule({ includes }: Override): boolean {
  return includes[0]?.startsWith('service/src/') === true
}

/** The table of levels in ARCHITECTURE.md. */
export function levelsTable(levels: readonly (readonly string[])[] = moduleLevels): string {
  const rows = levels.map((modules, place) => `| ${levels.length - place} | ${modules.join(', ')} |`)
  return ['| level | modules |', '| --- | --- |', ...rows].join('\n')
}

function levelRule(modules: readonly string[], lower: readonly string[]): Override {
  const message =
    lower.length === 0
      ? `Modules of the lowest level (${modules.join(', ')}) import no module.`
      : `${modules.join(', ')} ${modules.length === 1 ? 'imports' : 'import'} only #modules/<name>/index.ts of lower levels: ${lower.toSorted().join(', ')}.`
  return rule(folderGlob(modules), [
    flat,
    noAdapters,
    noHarness,
    {
      group: ['#modules/**', ...(lower.length === 0 ? [] : [`!#modules/${oneOf(lower)}/index.ts`])],
      message: `${message} Let service/src/compose pass in what a higher module provides. ARCHITECTURE.md lists the levels.`,
    },
  ])
}

function folderGlob(modules: readonly string[]): string {
  return `service/src/modules/${oneOf(modules)}/**`
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? `${names[0]}` : `{${names.join(',')}}`
}

function rule(folder: string, patterns: readonly Pattern[]): Override & { readonly linter: object } {
  return {
    includes: [folder, '!**/*.test.ts'],
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
  }
}
