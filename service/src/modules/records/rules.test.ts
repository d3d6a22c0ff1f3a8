import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rrsetBytes } from '@zonewright/dns'
import fc from 'fast-check'
import { Refusal } from '#platform/errors.ts'
import type { RrsetMove, StoredRrset } from './rrset.ts'
import type { Ask, RrsetChange } from './rrset-change.ts'
import { maxZoneBytes, mostAtName, type Plan, planChange } from './rules.ts'

/** The default limits of a zone. */
const rrsetLimit = 10_000

const www: StoredRrset = { name: 'www.example.com', type: 'A', ttl: 300, records: ['192.0.2.1', '192.0.2.2'] }
const alias: StoredRrset = { name: 'alias.example.com', type: 'CNAME', ttl: 300, records: ['www.example.com.'] }
const mail: StoredRrset = { name: 'example.com', type: 'MX', ttl: 300, records: ['10 mail.example.com.'] }

function replace(name: string, type: string, records: readonly string[], ttl?: number): RrsetChange {
  return { name, type, ttl, ask: { kind: 'replace', records } }
}

function create(name: string, type: string, records: readonly string[]): RrsetChange {
  return { name, type, ttl: undefined, ask: { kind: 'create', records } }
}

function edit(
  name: string,
  type: string,
  add: readonly string[],
  remove: readonly string[] = [],
  ttl?: number,
): RrsetChange {
  return { name, type, ttl, ask: { kind: 'edit', add, remove } }
}

function plan(existing: readonly StoredRrset[], ...changes: RrsetChange[]): Plan {
  const size = { rrsetCount: existing.length, bytes: bytesOf(existing), rrsetLimit }
  return planChange(size, existing, changes, (i) => `/changes/${i}`)
}

/** The bytes of a zone, counted again. */
function bytesOf(rrsets: readonly StoredRrset[]): number {
  return rrsets.reduce((sum, { name, records }) => sum + name.length + rrsetBytes(records), 0)
}

/** The refusal of the changes: its code, and each error's code and place. */
function refusal(existing: readonly StoredRrset[], ...changes: RrsetChange[]): [string, ...string[]] {
  try {
    plan(existing, ...changes)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return [error.code, ...error.details.map(({ code, path }) => `${code} ${path}`)]
  }
  assert.fail('the changes were accepted')
}

test('a new rrset gets the default TTL, and a changed one keeps its TTL', () => {
  assert.equal(plan([], replace('a.example.com', 'A', ['192.0.2.1'])).results[0]?.ttl, 3_600)
  assert.equal(plan([www], replace('www.example.com', 'A', ['192.0.2.9'])).results[0]?.ttl, 300)
  assert.equal(plan([www], edit('www.example.com', 'A', ['192.0.2.9'])).results[0]?.ttl, 300)
  assert.equal(plan([www], replace('www.example.com', 'A', ['192.0.2.9'], 60)).results[0]?.ttl, 60)
})

test('a request without effect changes nothing: the same values in another order, an existing value, a missing one', () => {
  for (const change of [
    replace('www.example.com', 'A', ['192.0.2.2', '192.0.2.1']),
    replace('www.example.com', 'A', ['192.0.2.1', '192.0.2.2'], 300),
    replace('gone.example.com', 'A', []),
    edit('www.example.com', 'A', ['192.0.2.1']),
    edit('www.example.com', 'A', [], ['192.0.2.77']),
    edit('www.example.com', 'A', [], [], 300),
    edit('gone.example.com', 'A', [], ['192.0.2.1']),
  ]) {
    const { moves, rrsetCount } = plan([www], change)
    assert.deepEqual({ moves, rrsetCount }, { moves: [], rrsetCount: 1 }, JSON.stringify(change))
  }
})

test('a change reports the rrset before and after', () => {
  assert.deepEqual(
    plan([www, mail], edit('www.example.com', 'A', ['192.0.2.3'], ['192.0.2.1']), replace('example.com', 'MX', []))
      .moves,
    [
      {
        name: 'www.example.com',
        type: 'A',
        before: { ttl: 300, records: ['192.0.2.1', '192.0.2.2'] },
        after: { ttl: 300, records: ['192.0.2.2', '192.0.2.3'] },
      },
      { name: 'example.com', type: 'MX', before: { ttl: 300, records: ['10 mail.example.com.'] }, after: null },
    ],
  )
})

test('taking over a customer’s records is a change, even if the data stays the same', () => {
  const cut: StoredRrset = { name: 'sub.example.com', type: 'NS', ttl: 3_600, records: ['ns1.example.net.'] }
  const movesOf = (existing: StoredRrset) => {
    const size = { rrsetCount: 1, bytes: bytesOf([existing]), rrsetLimit }
    const change = replace(cut.name, 'NS', cut.records)
    return planChange(size, [existing], [change], () => '/name', { byService: true }).moves
  }
  const { name, type, ttl, records } = cut
  assert.deepEqual(movesOf(cut), [{ name, type, before: { ttl, records }, after: { ttl, records, managed: true } }])
  assert.deepEqual(movesOf({ ...cut, managed: true }), [])
})

test('a value stored earlier in the generic form can be extended and removed in the text form of its type', () => {
  const stored = { name: 'spf.example.com', type: 'SPF', ttl: 60, records: ['\\# 3 026869'] }
  assert.deepEqual(plan([stored], edit(stored.name, 'SPF', ['"hi"', '"x"'])).results[0]?.records, ['"hi"', '"x"'])
  assert.deepEqual(plan([stored], edit(stored.name, 'SPF', [], ['"hi"'])).results, [null])
})

test('removing the last value removes the rrset', () => {
  const { moves, results, rrsetCount } = plan([www], edit('www.example.com', 'A', [], www.records))
  assert.equal(moves[0]?.after, null)
  assert.deepEqual(results, [null])
  assert.equal(rrsetCount, 0)
})

test('a value that is both removed and added stays', () => {
  assert.deepEqual(plan([www], edit('www.example.com', 'A', ['192.0.2.1'], ['192.0.2.1'])).moves, [])
})

test('creating an existing rrset is refused, and so is naming one rrset twice', () => {
  assert.deepEqual(refusal([www], create('www.example.com', 'A', ['192.0.2.9'])), ['rrset_exists'])
  assert.equal(plan([www], create('www.example.com', 'AAAA', ['::1'])).moves.length, 1)
  assert.deepEqual(
    refusal([], replace('a.example.com', 'A', ['192.0.2.1']), replace('a.example.com', 'A', ['192.0.2.2'])),
    ['validation_failed', 'duplicate /changes/1'],
  )
})

test('a CNAME is the only rrset at its name, compared with existing rrsets and within one request', () => {
  assert.deepEqual(refusal([www], replace('www.example.com', 'CNAME', ['x.example.net.'])), [
    'validation_failed',
    'cname_not_alone /changes/0',
  ])
  assert.deepEqual(refusal([alias], replace('alias.example.com', 'TXT', ['"x"'])), [
    'validation_failed',
    'cname_not_alone /changes/0',
  ])
  assert.deepEqual(
    refusal([], replace('n.example.com', 'A', ['192.0.2.1']), replace('n.example.com', 'CNAME', ['x.example.net.'])),
    ['validation_failed', 'cname_not_alone /changes/1'],
  )
  assert.equal(plan([alias], replace('www.example.com', 'TXT', ['"x"'])).moves.length, 1)
})

test('nothing can be added below a DNAME, and no DNAME above other names; existing violations can be changed and deleted', () => {
  const dname = { name: 'sub.example.com', type: 'DNAME', ttl: 300, records: ['example.net.'] }
  const hidden = { name: 'a.b.sub.example.com', type: 'A', ttl: 300, records: ['192.0.2.1'] }
  const both = [dname, hidden]
  const fault = (code: string, i = 0) => ['validation_failed', `${code} /changes/${i}`]
  assert.deepEqual(refusal([dname], replace('sub.sub.example.com', 'TXT', ['"x"'])), fault('below_dname'))
  assert.deepEqual(refusal([dname], replace('*.sub.example.com', 'TXT', ['"x"'])), fault('below_dname'))
  assert.deepEqual(
    refusal([hidden], replace('sub.example.com', 'DNAME', ['example.net.'])),
    fault('dname_above_records'),
  )
  assert.deepEqual(
    refusal([], replace(hidden.name, 'A', hidden.records), replace(dname.name, 'DNAME', dname.records)),
    fault('below_dname'),
  )
  assert.deepEqual(refusal(both, replace(hidden.name, 'TXT', ['"x"'])), fault('below_dname'))
  assert.equal(plan(both, replace(hidden.name, 'A', ['192.0.2.2'])).moves.length, 1)
  assert.equal(plan(both, replace(dname.name, 'DNAME', ['example.org.'])).moves.length, 1)
  assert.equal(plan(both, replace(hidden.name, 'A', []), replace('c.sub.example.com', 'A', [])).moves.length, 1)
  assert.equal(
    plan([dname], replace(dname.name, 'DNAME', []), replace(hidden.name, 'A', ['192.0.2.1'])).moves.length,
    2,
  )
  assert.equal(
    plan([hidden], replace(hidden.name, 'A', []), replace(dname.name, 'DNAME', dname.records)).moves.length,
    2,
  )
  assert.equal(plan([dname], replace('xsub.example.com', 'A', ['192.0.2.1'])).moves.length, 1)
  assert.equal(plan([dname], replace('x\\.sub.example.com', 'A', ['192.0.2.1'])).moves.length, 1)
})

test('a DNAME and a delegation cannot be at the same name, in the zone or within one request', () => {
  const dname = replace('sub.example.com', 'DNAME', ['example.net.'])
  const ns = replace('sub.example.com', 'NS', ['ns.example.net.'])
  const fault = (i: number) => ['validation_failed', `dname_with_ns /changes/${i}`]
  assert.deepEqual(
    refusal([{ name: 'sub.example.com', type: 'NS', ttl: 300, records: ['ns.example.net.'] }], dname),
    fault(0),
  )
  assert.deepEqual(
    refusal([{ name: 'sub.example.com', type: 'DNAME', ttl: 300, records: ['example.net.'] }], ns),
    fault(0),
  )
  assert.deepEqual(refusal([], ns, dname), fault(1))
  assert.equal(plan([], dname, replace('sub.example.com', 'TXT', ['"x"'])).moves.length, 2)
})

test('a CNAME can replace other rrsets, and they can replace it, in one request', () => {
  const swapped = plan(
    [www],
    replace('www.example.com', 'CNAME', ['x.example.net.']),
    replace('www.example.com', 'A', []),
  )
  assert.deepEqual(
    swapped.moves.map(({ type, after }) => [type, after !== null]),
    [
      ['CNAME', true],
      ['A', false],
    ],
  )
  assert.equal(
    plan([alias], replace('alias.example.com', 'A', ['192.0.2.1']), replace('alias.example.com', 'CNAME', []))
      .rrsetCount,
    1,
  )
})

test('adding a second CNAME or DNAME is refused, and replacing the first is not', () => {
  assert.deepEqual(refusal([alias], edit('alias.example.com', 'CNAME', ['other.example.net.'])), [
    'validation_failed',
    'single_value /changes/0',
  ])
  assert.equal(plan([alias], edit('alias.example.com', 'CNAME', ['other.example.net.'], alias.records)).moves.length, 1)
  const dname = { ...alias, type: 'DNAME' }
  assert.deepEqual(refusal([dname], edit('alias.example.com', 'DNAME', ['other.example.net.'])), [
    'validation_failed',
    'single_value /changes/0',
  ])
})

test('the null MX cannot be added to other MX records, nor they to it', () => {
  assert.deepEqual(refusal([mail], edit('example.com', 'MX', ['0 .'])), ['validation_failed', 'null_mx /changes/0'])
  const none = { ...mail, records: ['0 .'] }
  assert.deepEqual(refusal([none], edit('example.com', 'MX', ['10 mail.example.com.'])), [
    'validation_failed',
    'null_mx /changes/0',
  ])
  assert.equal(plan([none], edit('example.com', 'MX', ['10 mail.example.com.'], ['0 .'])).moves.length, 1)
  assert.equal(plan([none], edit('example.com', 'MX', ['0 .'])).moves.length, 0)
})

test('adding values one by one never makes an rrset too large for a message', () => {
  const text = (letter: string): string => `"${letter.repeat(200)}"`.concat(` "${letter.repeat(250)}"`.repeat(119))
  const big: StoredRrset = { name: 'big.example.com', type: 'TXT', ttl: 300, records: [text('a'), text('b')] }
  assert.deepEqual(refusal([big], edit('big.example.com', 'TXT', [text('c')])), [
    'validation_failed',
    'too_large /changes/0',
  ])
  assert.equal(plan([big], edit('big.example.com', 'TXT', [text('c')], [text('a')])).moves.length, 1)
})

test('a zone can have at most ten thousand rrsets, and a full one can still be changed and emptied', () => {
  const count = (rrsetCount: number, existing: readonly StoredRrset[], ...changes: RrsetChange[]) =>
    planChange({ rrsetCount, bytes: 0, rrsetLimit }, existing, changes, String).rrsetCount
  const one = create('one.example.com', 'A', ['192.0.2.1'])
  assert.equal(count(rrsetLimit - 1, [], one), rrsetLimit)
  assert.throws(() => count(rrsetLimit, [], one), { code: 'validation_failed' })
  assert.equal(count(rrsetLimit, [www], replace('www.example.com', 'A', ['192.0.2.9'])), rrsetLimit)
  assert.equal(count(rrsetLimit, [www], replace('www.example.com', 'A', []), one), rrsetLimit)
  // An operator may have lowered the limit since then. Changes that do not enlarge the zone are still possible.
  assert.equal(count(rrsetLimit + 5, [www], replace('www.example.com', 'A', [])), rrsetLimit + 4)
})

test('a zone can have at most 32 MiB of names and records, and a full one can still be changed and emptied', () => {
  const after = (bytes: number, limit: number | null, ...changes: RrsetChange[]) =>
    planChange({ rrsetCount: 1, bytes, rrsetLimit: limit }, [www], changes, String).bytes
  const one = create('one.example.com', 'A', ['192.0.2.1'])
  const size = bytesOf([{ name: 'one.example.com', type: 'A', ttl: 300, records: ['192.0.2.1'] }])
  assert.equal(after(maxZoneBytes - size, rrsetLimit, one), maxZoneBytes)
  assert.throws(
    () => after(maxZoneBytes - size + 1, rrsetLimit, one),
    ({ details }: Refusal) =>
      details[0]?.code === 'zone_full' && /33554432 bytes .* would make it 33554433/.test(details[0].message),
  )
  assert.equal(
    after(maxZoneBytes + 5, rrsetLimit, replace('www.example.com', 'A', ['192.0.2.8', '192.0.2.9'])),
    maxZoneBytes + 5,
  )
  assert.equal(after(maxZoneBytes, rrsetLimit, replace('www.example.com', 'A', [])), maxZoneBytes - bytesOf([www]))
  assert.equal(
    after(maxZoneBytes, null, one),
    maxZoneBytes + size,
    'a zone without limits: the service delegates from it',
  )
  const cut = { rrsetCount: 1, bytes: maxZoneBytes, rrsetLimit }
  assert.ok(planChange(cut, [], [one], String, { byService: true }).bytes > maxZoneBytes)
})

test('a name can have at most 500 rrsets with 1 MiB in total, and a full one can still be changed and emptied', () => {
  assert.deepEqual(mostAtName, { rrsets: 500, bytes: 1024 * 1024 })
  const name = 'full.example.com'
  const types = (count: number) => Array.from({ length: count }, (_, i) => `TYPE${i + 1_000}`)
  const stored = (count: number, record = '\\# 0'): StoredRrset[] =>
    types(count).map((type) => ({ name, type, ttl: 300, records: [record] }))
  const one = create(name, 'TXT', ['"x"'])
  assert.equal(plan(stored(mostAtName.rrsets - 1), one).rrsetCount, mostAtName.rrsets)
  const tooMany = ['validation_failed', 'name_full /changes/1'] as const
  assert.deepEqual(refusal(stored(mostAtName.rrsets), replace('www.example.com', 'A', ['192.0.2.1']), one), tooMany)
  const many = types(mostAtName.rrsets + 1).map((type) => create(name, type, ['\\# 0']))
  assert.deepEqual(refusal([], ...many), ['validation_failed', 'name_full /changes/0'])
  // A name that was filled before the limit existed.
  const over = stored(mostAtName.rrsets + 5)
  assert.equal(plan(over, replace(name, 'TYPE1000', ['\\# 1 ff'])).rrsetCount, mostAtName.rrsets + 5)
  assert.equal(plan(over, replace(name, 'TYPE1000', []), one).rrsetCount, mostAtName.rrsets + 5)

  const opaque = (bytes: number) => `\\# ${bytes} ${'ab'.repeat(bytes)}`
  const large = stored(20, opaque(25_000))
  const next = (record: string) => create(name, 'TYPE5000', [record])
  const left = mostAtName.bytes - bytesOf(large.map((rrset) => ({ ...rrset, name: '' })))
  const exactly = opaque(20_000).padEnd(left - 13, ' ')
  assert.ok(opaque(20_000).length < exactly.length)
  assert.equal(plan(large, next(exactly)).moves.length, 1)
  assert.deepEqual(refusal(large, next(`${exactly} `)), ['validation_failed', 'name_full /changes/0'])
  assert.equal(plan(stored(25, opaque(25_000)), replace(name, 'TYPE1000', ['\\# 0'])).moves.length, 1)

  const size = { rrsetCount: 600, bytes: 0, rrsetLimit }
  assert.equal(planChange(size, stored(600), [one], String, { byService: true }).moves.length, 1)
  assert.equal(planChange({ ...size, rrsetLimit: null }, stored(600), [one], String).moves.length, 1)
  assert.throws(
    () => planChange(size, stored(600), [one], String, { mayReveal: () => false }),
    ({ message }: Refusal) => !message.includes(name),
  )
})

test('planning many rrsets at one name checks each of them once, and a CNAME with them is one error', () => {
  const name = 'many.example.com'
  const types = Array.from({ length: 60_000 }, (_, i) => `TYPE${i + 1_000}`)
  let looks = 0
  const counted = (type: string): RrsetChange => ({
    name,
    get type() {
      looks++
      return type
    },
    ttl: undefined,
    ask: { kind: 'replace', records: ['\\# 0'] },
  })
  const size = { rrsetCount: 0, bytes: 0, rrsetLimit: null }
  const { moves } = planChange(size, [], types.map(counted), String)
  assert.equal(moves.length, types.length)
  assert.ok(looks < 20 * types.length, `${looks} looks at the types of ${types.length} changes`)
  const alias = replace(name, 'CNAME', ['www.example.com.'])
  assert.throws(
    () => planChange(size, [], [...types.map(counted), alias], String),
    ({ details }: Refusal) => details.length === 1 && /TYPE1009, 59990 more records/.test(details[0]?.message ?? ''),
  )
})

test('all errors of a request are reported, each with the place of its change', () => {
  assert.deepEqual(
    refusal(
      [www, alias, mail],
      replace('www.example.com', 'CNAME', ['x.example.net.']),
      replace('fine.example.com', 'A', ['192.0.2.1']),
      edit('alias.example.com', 'CNAME', ['other.example.net.']),
      edit('example.com', 'MX', ['0 .']),
    ).toSorted(),
    ['cname_not_alone /changes/0', 'null_mx /changes/3', 'single_value /changes/2', 'validation_failed'],
  )
})

// A zone of few names, types and values, so that changes affect existing rrsets.
const names = ['a.example.com', 'b.example.com', 'c.example.com']
const values: Record<string, string[]> = {
  A: ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  TXT: ['"one"', '"two"', '"three"'],
  CNAME: ['x.example.net.', 'y.example.net.'],
}
const anyTtl = fc.option(fc.constantFrom(60, 300), { nil: undefined })
const anyChange: fc.Arbitrary<RrsetChange> = fc.constantFrom(...Object.keys(values)).chain((type) => {
  const some = fc.subarray(values[type] ?? [])
  const ask: fc.Arbitrary<Ask> = fc.oneof(
    some.map((records): Ask => ({ kind: 'replace', records })),
    fc.subarray(values[type] ?? [], { minLength: 1 }).map((records): Ask => ({ kind: 'create', records })),
    fc.tuple(some, some).map(([add, remove]): Ask => ({ kind: 'edit', add, remove })),
  )
  return fc.record({ name: fc.constantFrom(...names), type: fc.constant(type), ttl: anyTtl, ask })
})
const anyRequest = fc.uniqueArray(anyChange, {
  minLength: 1,
  maxLength: 5,
  selector: ({ name, type }) => `${name} ${type}`,
})

type Model = Map<string, { ttl: number; records: Set<string> }>

/** A second, simpler implementation of the rules; undefined: refused. */
function modelled(before: Model, changes: readonly RrsetChange[]): Model | undefined {
  const after: Model = new Map(before)
  for (const { name, type, ttl, ask } of changes) {
    const key = `${name} ${type}`
    const old = before.get(key)
    if (ask.kind === 'create' && old) return undefined
    const records =
      ask.kind === 'edit'
        ? new Set([...(old?.records ?? [])].filter((record) => !ask.remove.includes(record)).concat(ask.add))
        : new Set(ask.records)
    if (records.size === 0) after.delete(key)
    else after.set(key, { ttl: ttl ?? old?.ttl ?? 3_600, records })
    if (type === 'CNAME' && records.size > 1) return undefined
  }
  const clash = names.some((name) => after.has(`${name} CNAME`) && (after.has(`${name} A`) || after.has(`${name} TXT`)))
  return clash ? undefined : after
}

function storedOf(model: Model): StoredRrset[] {
  return [...model].map(([key, { ttl, records }]) => {
    const [name = '', type = ''] = key.split(' ')
    return { name, type, ttl, records: [...records].sort() }
  })
}

function modelOf(rrsets: readonly StoredRrset[]): Model {
  return new Map(rrsets.map(({ name, type, ttl, records }) => [`${name} ${type}`, { ttl, records: new Set(records) }]))
}

function carriedOut(rrsets: readonly StoredRrset[], moves: readonly RrsetMove[]): StoredRrset[] {
  const all = new Map(rrsets.map((rrset) => [`${rrset.name} ${rrset.type}`, rrset]))
  for (const { name, type, before, after } of moves) {
    const key = `${name} ${type}`
    const { ttl, records } = all.get(key) ?? {}
    assert.deepEqual(ttl === undefined ? null : { ttl, records }, before, `${key} is not what the move begins from`)
    if (after) all.set(key, { name, type, ...after })
    else all.delete(key)
  }
  return [...all.values()]
}

function planned(rrsets: readonly StoredRrset[], changes: readonly RrsetChange[]): Plan | undefined {
  try {
    return plan(rrsets, ...changes)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return undefined
  }
}

test('for any request, the plan does what a simple model does, and its inverse restores the zone', () => {
  let accepted = 0
  fc.assert(
    fc.property(fc.array(anyRequest, { maxLength: 8 }), (requests) => {
      let rrsets: StoredRrset[] = []
      for (const changes of requests) {
        const expected = modelled(modelOf(rrsets), changes)
        const result = planned(rrsets, changes)
        assert.equal(
          result !== undefined,
          expected !== undefined,
          'the plan and the model differ on whether it may be done',
        )
        if (result === undefined || expected === undefined) continue
        accepted++
        const after = carriedOut(rrsets, result.moves)
        assert.deepEqual(modelOf(after), expected)
        assert.equal(result.rrsetCount, expected.size)
        assert.equal(result.bytes, bytesOf(after))
        for (const { before: was, after: is } of result.moves) assert.notDeepEqual(was, is, 'a move that moves nothing')
        const inverse = result.moves.map(({ name, type, before }) =>
          replace(name, type, before?.records ?? [], before?.ttl),
        )
        assert.deepEqual(modelOf(carriedOut(after, plan(after, ...inverse).moves)), modelOf(rrsets))
        rrsets = storedOf(expected)
      }
    }),
    { numRuns: 400 },
  )
  assert.ok(accepted > 400, `only ${accepted} requests were accepted: the property says too little`)
})
