import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#platform/errors.ts'
import { lockOf, refuseMixed, refuseRepeated, replacementOf, type SentPlan } from './rules.ts'

/** The errors of a refusal, as `code place`; none if nothing is refused. */
function faults(work: () => unknown): string[] {
  try {
    work()
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.details.map(({ code, path }) => `${code} ${path}`)
  }
}

const replace = { type: 'A', from: '192.0.2.1', to: '192.0.2.2' }
const preset = { id: 'x', parameters: {} }

test('a zone has exactly one kind of contents, or shares a replacement or a preset with the others', () => {
  const zone = 'example.com'
  for (const [plan, expected] of [
    [{ zones: [{ zone, changes: [] }] }, []],
    [{ zones: [{ zone, rrsets: [], mode: 'replace', lock: ['@'] }] }, []],
    [{ zones: [{ zone }], replace }, []],
    [{ zones: [{ zone }], preset }, []],
    [{ zones: 'all', replace }, []],
    [{ zones: 'all', replace, cursor: 'x' }, []],
    [{ zones: [{ zone }] }, ['missing /zones/0']],
    [
      {
        zones: [
          { zone, changes: [] },
          { zone, changes: [], zone_file: '' },
        ],
      },
      ['not_together /zones/1'],
    ],
    [{ zones: [{ zone, changes: [], mode: 'merge' }] }, ['not_together /zones/0/mode']],
    [
      { zones: [{ zone, changes: [], lock: [] }], replace },
      ['not_together /zones/0/changes', 'not_together /zones/0/lock'],
    ],
    [{ zones: [{ zone }], replace, preset }, ['not_together /preset']],
    [{ zones: 'all' }, ['not_together /zones']],
    [{ zones: 'all', preset }, ['not_together /zones']],
    [{ zones: [{ zone }], replace, cursor: 'x' }, ['not_together /cursor']],
  ] as [SentPlan, string[]][])
    assert.deepEqual(
      faults(() => refuseMixed(plan)),
      expected,
      JSON.stringify(plan),
    )
})

test('at most 200 zones can have their own contents, and more can share a replacement', () => {
  const zones = Array.from({ length: 201 }, (_, i) => ({ zone: `z${i}.example` }))
  const own = zones.map((zone) => ({ ...zone, changes: [] }))
  assert.deepEqual(
    faults(() => refuseMixed({ zones: own.slice(1) })),
    [],
  )
  assert.deepEqual(
    faults(() => refuseMixed({ zones: own })),
    ['too_large /zones'],
  )
  assert.deepEqual(
    faults(() => refuseMixed({ zones, replace })),
    [],
  )
})

test('a zone can appear only once, and zones that do not exist are not compared', () => {
  assert.deepEqual(
    faults(() => refuseRepeated(['a', 'b', undefined, undefined])),
    [],
  )
  assert.deepEqual(
    faults(() => refuseRepeated(['a', 'b', 'a'])),
    ['duplicate /zones/2/zone'],
  )
})

test('the values of a replacement are canonical, and their names are fully qualified', () => {
  const read = (type: string, from: string, to: string) => replacementOf({ type, from, to })
  assert.deepEqual(read('aaaa', '2001:DB8:0::1', '2001:db8::2'), {
    type: 'AAAA',
    from: '2001:db8::1',
    to: '2001:db8::2',
  })
  assert.deepEqual(read('CNAME', 'Old.example.net', 'new.example.net.'), {
    type: 'CNAME',
    from: 'old.example.net.',
    to: 'new.example.net.',
  })
  assert.deepEqual(read('MX', '10 mail.old.example', '5 mail.new.example'), {
    type: 'MX',
    from: '10 mail.old.example.',
    to: '5 mail.new.example.',
  })
  assert.equal(read('TXT', 'old', '"new one"').from, '"old"')
  assert.equal(read('HTTPS', '1 . alpn=h2', '1 . alpn="h2,h3"').to, '1 . alpn="h2,h3"')
  assert.equal(read('ALIAS', 'a.example.net', 'b.example.net').to, 'b.example.net.')
})

test('all errors of a replacement are reported at once, each with its place', () => {
  const read = (type: string, from: string, to: string) => faults(() => replacementOf({ type, from, to }))
  assert.deepEqual(read('A', '192.0.2', 'example.net'), ['bad_rdata /replace/from', 'bad_rdata /replace/to'])
  assert.deepEqual(read('ANY', 'x', 'y'), ['bad_type /replace/type'])
  assert.deepEqual(read('A', '192.0.2.1', '192.0.2.1'), ['unchanged /replace/to'])
})

test('a lock covers its names, and `*.lan` covers every name below lan', () => {
  const lock = lockOf('example.com', ['@', 'www', '*.lan', 'a.b'], '/zones/0/lock')
  const covered = (name: string) => lock({ name })
  for (const name of ['example.com', 'www.example.com', 'a.lan.example.com', 'b.a.lan.example.com', 'a.b.example.com'])
    assert.ok(covered(name), name)
  for (const name of ['lan.example.com', 'x.www.example.com', 'b.example.com', 'xlan.example.com'])
    assert.ok(!covered(name), name)
  assert.deepEqual(
    faults(() => lockOf('example.com', ['www', 'www.example.net.', 'a..b'], '/lock')),
    ['out_of_zone /lock/1', 'bad_name /lock/2'],
  )
})
