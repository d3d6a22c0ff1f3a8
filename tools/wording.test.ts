// One word for one thing: docs/reference/wording.md lists the words, and no text of the product uses one that it retires.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { productStrings } from './local/product-strings.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = 'docs/reference/wording.md'
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

interface Retired {
  readonly phrase: string
  readonly instead: string
  readonly where: string
}

const retired: readonly Retired[] = [
  ...(/^## Glossary$(.*?)^## /ms.exec(read(page))?.[1] ?? '').matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm),
]
  .slice(2)
  .flatMap(([, instead = '', where = '', phrases = '']) =>
    phrases.split(', ').map((phrase) => ({ phrase, instead, where })),
  )

/** Texts that no one reads. */
const unread = new Set(['pay link']) // The purpose that a token is sealed for: it must stay as it is.

/** Pages that other programs write, the history of changes, and the glossary itself, which names the retired words. */
const unreadPages = new Set(['CHANGELOG.md', 'bench/README.md', page])

const anyRetired = new RegExp(`\\b(?:${retired.map(({ phrase }) => phrase).join('|')})\\b`, 'gi')

/** What to write instead of each retired phrase in a source file. */
function faultsOf(path: string, source: string): string[] {
  return productStrings(path, source).flatMap(({ line, text }) =>
    unread.has(text)
      ? []
      : [...text.matchAll(anyRetired)].map(([found]) => {
          const { instead, where } = retired.find(({ phrase }) => phrase === found.toLowerCase()) ?? assert.fail(found)
          return `${path}:${line}: write "${instead}" (${where}) instead of "${found}" in: ${text} (see ${page})`
        }),
  )
}

/** What to write instead of each retired phrase in a page, in a comment of a file that operators copy, or in a command of it. */
function faultsOfPage(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, at) =>
    [...line.matchAll(anyRetired)].map(([found]) => {
      const { instead, where } = retired.find(({ phrase }) => phrase === found.toLowerCase()) ?? assert.fail(found)
      return `${path}:${at + 1}: write "${instead}" (${where}) instead of "${found}" in: ${line.trim()} (see ${page})`
    }),
  )
}

const sources = globSync(
  [
    '{service,nameserver,sandbox}/{src,bin}/**/*.ts',
    'packages/*/src/**/*.ts',
    'dashboard/src/**/*.{ts,tsx}',
    'tools/**/*.ts',
  ],
  {
    cwd: root,
    exclude: ['**/node_modules/**'],
  },
).filter((path) => !/\/(?:testing|test-|fuzz|reserved-labels)|\.(?:test|conformance|nightly)\.tsx?$/.test(path))

test('no text of the product uses a word that docs/reference/wording.md retires', () => {
  assert.ok(sources.length > 500, `${sources.length}`)
  assert.deepEqual(
    sources.flatMap((path) => faultsOf(path, read(path))),
    [],
  )
})

const pages = globSync(
  ['*.md', '{docs,service,packages,nameserver,dashboard,sandbox,bench,tools,system-tests}/**/*.md'],
  {
    cwd: root,
    exclude: ['**/node_modules/**', '**/results/**'],
  },
).filter((path) => !unreadPages.has(path))

/** Files that operators and customers copy: settings, units, scripts, alerts. */
const copied = globSync(['deploy/**/*', 'docs/examples/*'], { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))

test('no page and no file that people copy uses a word that docs/reference/wording.md retires', () => {
  assert.ok(pages.length > 90 && copied.length > 30, `${pages.length}, ${copied.length}`)
  assert.deepEqual(
    [...pages, ...copied].flatMap((path) => faultsOfPage(path, read(path))),
    [],
  )
})

test('the API’s description uses no retired word', () => {
  const faults = [...read('openapi.json').matchAll(/"(?:summary|description)": "(.*)"/g)].flatMap(([, text = '']) =>
    [...text.matchAll(anyRetired)].map(([found]) => `${found}: ${text}`),
  )
  assert.deepEqual(faults, [])
})

test('the glossary retires each word once, and uses none of them itself', () => {
  assert.ok(retired.length > 60, `${retired.length}`)
  const phrases = retired.map(({ phrase }) => phrase)
  assert.deepEqual(
    phrases.filter((phrase, at) => phrases.indexOf(phrase) !== at || phrase !== phrase.toLowerCase()),
    [],
  )
  for (const { instead } of retired) assert.doesNotMatch(instead, anyRetired)
})

const planted: readonly [string, string, string][] = [
  ['a message', `throw new Refusal('not_found', 'Somebody else has it.')`, 'someone, anyone, no one, everyone'],
  ['a message in double quotes', `throw new Refusal('x', "It's by hand.")`, 'manually'],
  ['a template', 'const text = `$' + '{name} is renewed by itself.`', 'Auto-renew'],
  ['a template over an expression', 'const text = `It $' + '{isOn ? `is` : ``} under way`', 'in progress'],
  ['a text between tags', `return <p>We look again.</p>`, 'Refresh'],
  ['a text after an expression', `return <p>{name} needs a look.</p>`, 'Needs attention'],
  ['a text over two lines', `return <Button>\n  Look\n  again\n</Button>`, 'Refresh'],
  ['an attribute', `return <Field label="Who has it" />`, 'Registrant'],
  ['a description', `meta({ description: 'Its holder may transfer it here.' })`, 'Registrant'],
  ['the help of a metric', `help: 'Whatever the registry tells.'`, 'say, report, show, notify'],
  ['an operator’s command', `help: 'write to support'`, 'contact support'],
  ['a log line', `log.warn(about, 'a registry holds up orders')`, 'delayed'],
]

for (const [what, source, instead] of planted)
  test(`a retired word in ${what} is reported with its replacement`, () => {
    const [fault = assert.fail('nothing found')] = faultsOf(
      source.startsWith('return <') ? 'planted.tsx' : 'planted.ts',
      source,
    )
    assert.match(
      fault,
      /^planted\.tsx?:\d+: write "[^"]+" \(.+\) instead of ".+" in: .* \(see docs\/reference\/wording\.md\)$/,
    )
    assert.ok(fault.includes(`write "${instead}"`), fault)
  })

for (const [what, text, instead] of [
  ['a paragraph', 'The zone is live.\nSomebody has it already.', 'someone, anyone, no one, everyone'],
  ['a heading', '## Make a new secret', 'Rotate secret'],
  ['a table', '| `conflict` | it is under way |', 'in progress'],
  ['a comment of a unit', '# Nothing is asked of the registry here.', 'Waiting for the registry'],
  ['a summary of an alert', 'summary: "The mail server puts off emails"', 'defer'],
] as const)
  test(`a retired word in ${what} of a page is reported with its line and its replacement`, () => {
    const [fault = assert.fail('nothing found')] = faultsOfPage('planted.md', text)
    assert.match(
      fault,
      /^planted\.md:\d: write "[^"]+" \(.+\) instead of ".+" in: .* \(see docs\/reference\/wording\.md\)$/,
    )
    assert.ok(fault.includes(`write "${instead}"`), fault)
  })

test('a comment, a name and a code may use any word', () => {
  const source = `
    // Somebody has to look again.
    /** By hand, meanwhile. */
    const holder = told.holder
    const code = 'let_go'
    for (const holder of holders) holder.tells()`
  assert.deepEqual(faultsOf('planted.ts', source), [])
})
