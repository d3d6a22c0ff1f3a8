import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredRrset } from '#modules/records/index.ts'
import { apply, lines, stored, templateOf, zone } from '#testing/presets/test-zone.ts'
import { countedWarnings, warningsOf } from './warnings.ts'

test('each type removes what the conflict rules require, and nothing else', () => {
  const mx = stored('@', 'MX', ['10 mx.old.example.'])
  const caa = stored('@', 'CAA', ['0 issue "old.example"'])
  const txt = stored('@', 'TXT', ['"v=old 1"', '"other"'])
  const a = stored('@', 'A', ['192.0.2.1', '192.0.2.2'])
  const aaaa = stored('@', 'AAAA', ['2001:db8::1'])
  const srv = stored('_sip._tcp', 'SRV', ['0 0 5060 sip.old.example.'])
  const cname = stored('www', 'CNAME', ['old.example.'])
  const sub = stored('sub', 'NS', ['ns.old.example.'])
  const ds = stored('sub', 'DS', [`1 8 2 ${'ab'.repeat(32).toUpperCase()}`])
  const glue = stored('ns.sub', 'A', ['192.0.2.53'])
  const alias = stored('shop', 'ALIAS', ['old.example.'])
  const all = [mx, caa, txt, a, aaaa, srv, cname, sub, ds, glue, alias]
  const cases: [record: object, gone: StoredRrset[], then: string][] = [
    [{ type: 'A', host: '@', pointsTo: '192.0.2.9' }, [a, aaaa], 'example.com A 3600 192.0.2.9'],
    [{ type: 'AAAA', host: '@', pointsTo: '2001:db8::9' }, [a, aaaa], 'example.com AAAA 3600 2001:db8::9'],
    [{ type: 'APEXCNAME', pointsTo: 'new.example' }, [a, aaaa], 'example.com ALIAS 3600 new.example.'],
    [{ type: 'APEXCNAME', host: 'shop', pointsTo: 'new.example' }, [alias], 'shop.example.com ALIAS 3600 new.example.'],
    [{ type: 'A', host: 'shop', pointsTo: '192.0.2.9' }, [alias], 'shop.example.com A 3600 192.0.2.9'],
    [{ type: 'CNAME', host: 'shop', pointsTo: 'new.example' }, [alias], 'shop.example.com CNAME 3600 new.example.'],
    [{ type: 'A', host: 'www', pointsTo: '192.0.2.9' }, [cname], 'www.example.com A 3600 192.0.2.9'],
    [{ type: 'TXT', host: 'www', data: 'x' }, [cname], 'www.example.com TXT 3600 "x"'],
    [{ type: 'SPFM', host: 'www', spfRules: 'a' }, [cname], 'www.example.com TXT 3600 "v=spf1 a ~all"'],
    [{ type: 'CNAME', host: 'www', pointsTo: 'new.example' }, [cname], 'www.example.com CNAME 3600 new.example.'],
    [
      { type: 'CNAME', host: '_sip._tcp', pointsTo: 'new.example' },
      [srv],
      '_sip._tcp.example.com CNAME 3600 new.example.',
    ],
    [{ type: 'MX', host: '@', pointsTo: 'new.example', priority: 1 }, [mx], 'example.com MX 3600 1 new.example.'],
    [
      { type: 'SRV', service: 'sip', protocol: 'tcp', priority: 1, weight: 1, port: 1, target: 'new.example' },
      [srv],
      '_sip._tcp.example.com SRV 3600 1 1 1 new.example.',
    ],
    [
      { type: 'CAA', host: '@', data: '0 issue "new.example"' },
      [caa],
      'example.com CAA 300 0 issue "new.example" | 0 issue "old.example"',
    ],
    [
      { type: 'NS', host: 'sub', pointsTo: 'ns.new.example' },
      [sub, ds, glue],
      'sub.example.com NS 3600 ns.new.example.',
    ],
    [
      { type: 'NS', host: 'ns.sub', pointsTo: 'ns.new.example' },
      [sub, glue],
      'ns.sub.example.com NS 3600 ns.new.example.',
    ],
    [{ type: 'A', host: 'a.b.sub', pointsTo: '192.0.2.9' }, [sub], 'a.b.sub.example.com A 3600 192.0.2.9'],
    [{ type: 'A', host: 'sub', pointsTo: '192.0.2.9' }, [sub], 'sub.example.com A 3600 192.0.2.9'],
    [{ type: 'TXT', host: '@', data: 'new' }, [txt], 'example.com TXT 300 "new" | "other" | "v=old 1"'],
    [{ type: 'TXT', host: '@', data: 'v=new', txtConflictMatchingMode: 'All' }, [txt], 'example.com TXT 3600 "v=new"'],
    [
      { type: 'TXT', host: '@', data: 'v=new', txtConflictMatchingMode: 'Prefix', txtConflictMatchingPrefix: 'v=' },
      [txt],
      'example.com TXT 300 "other" | "v=new"',
    ],
    [
      {
        type: 'TXT',
        host: '@',
        data: 'v=new',
        txtConflictMatchingMode: 'Prefix',
        txtConflictMatchingPrefix: 'x',
        ttl: 60,
      },
      [txt],
      'example.com TXT 60 "other" | "v=new" | "v=old 1"',
    ],
  ]
  for (const [record, gone, then] of cases) {
    const { after } = apply(all, templateOf(record))
    assert.deepEqual(lines(after), [...lines(all.filter((rrset) => !gone.includes(rrset))), then].sort(), then)
  }
})

test('several records of a template become one rrset with the lowest of their TTLs', () => {
  const record = { type: 'A', host: '@', pointsTo: '192.0.2.1', ttl: 600 }
  const { after } = apply([], templateOf(record, { ...record, pointsTo: '192.0.2.2', ttl: 60 }, record))
  assert.deepEqual(lines(after), ['example.com A 60 192.0.2.1 | 192.0.2.2'])
})

test('an SPF or DMARC record that a template sets as TXT replaces the existing one', () => {
  const existing = [stored('@', 'TXT', ['"v=spf1 mx -all"', '"x"']), stored('_dmarc', 'TXT', ['"v=DMARC1; p=reject"'])]
  const { after } = apply(
    existing,
    templateOf(
      { type: 'TXT', host: '@', data: 'v=spf1 a -all' },
      { type: 'TXT', host: '_dmarc', data: 'v=DMARC1; p=none' },
    ),
  )
  assert.deepEqual(lines(after), [
    '_dmarc.example.com TXT 3600 "v=DMARC1; p=none"',
    'example.com TXT 300 "v=spf1 a -all" | "x"',
  ])
})

test('a template whose records conflict with each other is refused, and nothing is planned', () => {
  const txt = { type: 'TXT', host: 'www', data: 'x' }
  const verification = { type: 'CNAME', host: '%code%', pointsTo: 'verify.example.net' }
  for (const [records, parameters] of [
    [[{ type: 'CNAME', host: 'www', pointsTo: 'x.example' }, txt], {}],
    [[{ type: 'CNAME', host: 'www', pointsTo: 'x.example' }, verification], { code: 'www' }],
  ] as const)
    assert.throws(() => apply([], templateOf(...records), parameters), { code: 'validation_failed' })
})

test('warnings name each value that is lost, and the SPF record that results from a merge', () => {
  const existing = [
    stored('@', 'A', ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']),
    stored('@', 'AAAA', ['2001:db8::1']),
    stored('@', 'TXT', ['"v=spf1 mx -all"', '"kept"']),
    stored('kept', 'A', ['192.0.2.1']),
  ]
  const { moves } = apply(
    existing,
    templateOf(
      { type: 'A', host: '@', pointsTo: '192.0.2.4' },
      { type: 'SPFM', host: '@', spfRules: 'include:x.example' },
      { type: 'A', host: 'new', pointsTo: '192.0.2.4' },
    ),
  )
  assert.deepEqual(
    warningsOf(moves)
      .map(({ name, type, code, message }) => `${code} ${name} ${type}: ${message}`)
      .sort(),
    [
      'removed example.com AAAA: example.com AAAA 2001:db8::1: removed, because it conflicts with the new records.',
      'replaced example.com A: example.com A 192.0.2.1, 192.0.2.2, 192.0.2.3: replaced.',
      'spf_merged example.com TXT: The SPF record of example.com is now v=spf1 mx include:x.example -all',
    ],
  )
  assert.deepEqual(
    countedWarnings(zone, moves).map(({ message }) => message),
    ['3 record sets lost values that the new records replace.'],
  )
  assert.deepEqual([warningsOf([]), countedWarnings(zone, [])], [[], []])
})

test('a warning shows only the beginning of a long value', () => {
  const existing = [stored('x', 'TXT', [`"${'a'.repeat(250)}"`])]
  const record = { type: 'TXT', host: 'x', data: 'b', txtConflictMatchingMode: 'All' }
  const [warning] = warningsOf(apply(existing, templateOf(record)).moves)
  assert.equal(warning?.message, `x.example.com TXT "${'a'.repeat(99)}…: replaced.`)
})

test('an SPF record with more lookups than receivers allow gets a warning', () => {
  const rules = Array.from({ length: 11 }, (_, i) => `include:${i}.example`).join(' ')
  const { moves } = apply([], templateOf({ type: 'SPFM', host: '@', spfRules: rules }))
  assert.deepEqual(
    warningsOf(moves).map(({ code }) => code),
    ['spf_lookups'],
  )
})
