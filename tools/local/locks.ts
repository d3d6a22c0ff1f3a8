import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A lock of rows in the service's SQL. */
export interface RowLock {
  readonly table: string
  /** The file, and the function that contains the statement. */
  readonly file: string
  readonly by: string
  /** Skips rows that another transaction has locked, so that it never waits. */
  readonly skips: boolean
}

/** A place in the order in which transactions lock rows. */
interface Place {
  readonly table: string
  readonly rows: string
}

/**
 * The order in which transactions lock rows, so that they never wait for each other in a circle. A transaction that needs several of these locks
 * takes them from top to bottom.
 */
const lockOrder: readonly Place[] = [
  { table: 'accounts', rows: 'by id; code that counts what an account may have locks this row first' },
  { table: 'account_guesses', rows: "by subject, then by source: a network's counts before an account's" },
  { table: 'account_two_factors', rows: 'one' },
  { table: 'contacts', rows: 'one' },
  { table: 'promo_codes', rows: 'one' },
  { table: 'api_keys', rows: 'one' },
  { table: 'orders', rows: 'by id' },
  { table: 'payments', rows: 'the payments of an order that is already locked' },
  { table: 'domains', rows: 'by id' },
  { table: 'cards', rows: 'one' },
  {
    table: 'domain_acts',
    rows: 'after the domains are locked; `holdChange` in domains/change-store.ts and `endHeld` in domains/default-lock.ts lock them with an UPDATE',
  },
  { table: 'zones', rows: 'all zones of a change, by id: `lockZone`, `lockNames`' },
  { table: 'zone_delegations', rows: 'by zone, after the zones are locked' },
  { table: 'alias_targets', rows: 'by target, after the zones are locked' },
  { table: 'event_outbox', rows: 'by zone, and within a zone by `seq`' },
  { table: 'webhook_endpoints', rows: 'one' },
  { table: 'webhook_lanes', rows: 'by endpoint' },
  { table: 'webhook_deliveries', rows: 'by id' },
  { table: 'zone_sightings', rows: 'by zone and nameserver' },
  { table: 'catalog', rows: 'the only row; code that writes the next serial of the catalog locks it' },
]

const advisory = {
  migrate: ['a session', 'one process at a time migrates the database'],
  fanOut: [
    'a transaction',
    'one batch at a time moves events to the history, so that their positions become visible in order',
  ],
  publicationLeader: ['a connection, while it leads', 'one primary announces changes and writes the catalog'],
  cloneTestDatabase: ['a session, in tests', 'one process at a time copies a template database'],
} as const satisfies Readonly<Record<string, readonly [holder: string, reason: string]>>

/** The page of locks, from the code below `root`. Throws when the code locks rows of a table that has no place in the order. */
export function locksPage(root: string): string {
  const locks = globSync('service/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/testing/**'] })
    .sort()
    .flatMap((file) => rowLocks(file, readFileSync(join(root, file), 'utf8')))
  const waiting = locks.filter(({ skips }) => !skips)
  const skipping = locks.filter(({ skips }) => skips)
  const unplaced = waiting.find(({ table }) => !lockOrder.some((place) => place.table === table))
  if (unplaced !== undefined)
    throw new Error(
      `${unplaced.by} in ${unplaced.file} locks rows of ${unplaced.table}, which is not in lockOrder. Add it in tools/local/locks.ts, in a place where no deadlock can occur.`,
    )
  const named = [
    ...readFileSync(join(root, 'service/src/platform/postgres/advisory-locks.ts'), 'utf8').matchAll(
      /^ {2}(\w+): [\d_]+,$/gm,
    ),
  ]
  const names = named.map(([, name = '']) => name).sort()
  if (names.join() !== Object.keys(advisory).sort().join())
    throw new Error(
      `advisory-locks.ts has ${names.join(', ')}; tools/local/locks.ts describes ${Object.keys(advisory).sort().join(', ')}. Describe each.`,
    )
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return `# Locks

This page lists the database locks of the service. \`npm run locks\` generates it from the SQL in \`service/src\`. To change the order of the locks,
edit \`tools/local/locks.ts\`.

## Rows, in the order in which they are locked

A transaction that needs several of these locks takes them from top to bottom. Otherwise two transactions could deadlock.

| table | rows | locked by |
| --- | --- | --- |
${lockOrder.map(({ table, rows }) => row([`\`${table}\``, rows, places(waiting, table)])).join('\n')}

## Rows that no one waits for

The statements of these functions lock rows with \`skip locked\`: they skip rows that another transaction has locked.

| table | locked by |
| --- | --- |
${[...new Set(skipping.map(({ table }) => table))]
  .sort()
  .map((table) => row([`\`${table}\``, places(skipping, table)]))
  .join('\n')}

## Advisory locks

The number of each lock is in [advisory-locks.ts](../../service/src/platform/postgres/advisory-locks.ts).

| lock | held by | for |
| --- | --- | --- |
${Object.entries(advisory)
  .map(([name, [holder, reason]]) => row([`\`${name}\``, holder, reason]))
  .join('\n')}
`
}

function places(locks: readonly RowLock[], table: string): string {
  const own = locks.filter((lock) => lock.table === table)
  return [...new Set(own.map(({ by, file }) => `\`${by}\` in ${shortened(file)}`))].join(', ')
}

function shortened(file: string): string {
  return file.replace(/^service\/src\/(?:modules\/)?/, '')
}

/** The locks of rows in a file of TypeScript. */
export function rowLocks(file: string, source: string): RowLock[] {
  return [...source.matchAll(/`[^`]*`/g)].flatMap(({ 0: template, index }) => {
    const text = withoutValues(template)
    return [...text.matchAll(/\bfor (?:no key )?(?:update|share)\b(?: of (\w+))?( skip locked)?/g)].map((lock) => ({
      table: tableOf(text.slice(0, lock.index), lock[1]),
      file,
      by: functionAt(source.slice(0, index)),
      skips: lock[2] !== undefined,
    }))
  })
}

/** The text of a statement without its interpolated values. */
function withoutValues(template: string): string {
  let text = template
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(/\$?\{[^{}]*\}/g, '_')
  }
  return text
}

/** The table that a lock at the end of `before` is about: the one with this alias, or the last one of the same query. */
function tableOf(before: string, alias: string | undefined): string {
  if (alias !== undefined) {
    const named = new RegExp(`\\b(?:from|join) (\\w+) (?:as )?${alias}\\b`).exec(before)
    return named?.[1] ?? alias
  }
  const queries: string[] = ['']
  for (const [, paren, table = ''] of before.matchAll(/([()])|\bfrom (\w+)/g))
    if (paren === '(') queries.push('')
    else if (paren === ')') queries.pop()
    else queries[queries.length - 1] = table
  return queries.at(-1) ?? ''
}

/** The function that contains the place after `before`. */
function functionAt(before: string): string {
  const heads = [
    ...before.matchAll(
      /^(?:export )?(?:async )?function (\w+)|^ {2}(?:async )?(#?\w+)\([^\n]*\{$|^(?:export )?const (\w+)/gm,
    ),
  ]
  const [, a, b, c] = heads.at(-1) ?? []
  return a ?? b ?? c ?? 'the file'
}
