import assert from 'node:assert/strict'
import { startTestApi } from './test-api.ts'
import { zoneFileType } from './test-zones.ts'

/** The result of an import. */
export interface Outcome {
  /** The zone's record sets, as `owner ttl type`, in order. */
  readonly rrsets: readonly string[]
  /** What was left out, as `line type`. */
  readonly ignored: readonly string[]
  /** What was adapted, as `line code`. */
  readonly adapted: readonly string[]
  /** The faults for which it was refused, as `line code`. */
  readonly faults: readonly string[]
  /** The message of the refusal. */
  readonly refused: string | undefined
}

/** The expected result. Omitted members are empty. */
export type Expected = Partial<Omit<Outcome, 'refused'>> & { readonly refused?: string | RegExp }

export function assertOutcome(outcome: Outcome, { refused, ...expected }: Expected): void {
  const nothing = { rrsets: [], ignored: [], adapted: [], faults: [] }
  const { refused: message, ...rest } = outcome
  assert.deepEqual(rest, { ...nothing, ...expected })
  if (refused instanceof RegExp) assert.match(String(message), refused)
  else assert.equal(message, refused)
}

interface Line {
  readonly line?: number
  readonly type?: string
  readonly code?: string
}

/** Imports zone files into an empty zone example.com, each first as a dry run. Both responses must agree. */
export async function startImports() {
  const api = await startTestApi()
  const account = await api.account('importer@example.net')
  const key = await api.key(account)
  await api.zone(account, 'example.com')
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = zoneFileType) =>
    api.call(method, `/zones/example.com${path}`, { key, ...(body !== undefined && { body, headers }) })

  return async (body: unknown, headers?: Record<string, string>): Promise<Outcome> => {
    assert.equal((await call('PUT', '/rrsets', { rrsets: [] }, {})).status, 200)
    const tried = await call('POST', '/import?dry_run=true', body, headers)
    const done = await call('POST', '/import', body, headers)
    const { error } = done.body
    if (tried.status === 200) {
      const faults = linesOf(tried.body.errors, 'code')
      assert.deepEqual(faults, linesOf(error?.details ?? [], 'code'), 'the dry run lists the faults of the import')
    } else assert.deepEqual(tried.body.error?.details, error?.details, 'the dry run is refused like the import')
    if (error !== undefined)
      return {
        rrsets: [],
        ignored: [],
        adapted: [],
        faults: linesOf(error.details ?? [], 'code'),
        refused: error.message,
      }
    assert.equal(done.status, 200)
    for (const list of ['ignored', 'ignored_count', 'adapted', 'adapted_count'])
      assert.deepEqual(tried.body[list], done.body[list], `the dry run has the same ${list}`)
    for (const { message, reason } of done.body.adapted)
      for (const text of [message, reason]) assert.match(text, /^.+\.$/)
    const { data } = (await call('GET', '/rrsets?limit=200')).body
    return {
      rrsets: data
        .filter(({ managed }: { managed: boolean }) => !managed)
        .map(({ name, ttl, type }: Record<string, string>) => `${ownerIn(name ?? '')} ${ttl} ${type}`)
        .sort(),
      ignored: linesOf(done.body.ignored, 'type'),
      adapted: linesOf(done.body.adapted, 'code'),
      faults: [],
      refused: undefined,
    }
  }
}

function linesOf(list: readonly Line[], member: 'type' | 'code'): string[] {
  return list.map((each) => (each.line === undefined ? String(each[member]) : `${each.line} ${each[member]}`))
}

function ownerIn(name: string): string {
  return name === 'example.com' ? '@' : name.replace(/\.example\.com$/, '')
}
