import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChecklistId, ChecklistItem } from '@zonewright/contract'
import { type StoredRrset, warningsOf } from '#modules/records/index.ts'
import { aliasesIn } from './alias-targets.ts'
import { faultyInZone } from './mail-targets.ts'
import { type ChecklistFacts, checklistOf } from './rules.ts'
import { ZoneContent } from './zone-content.ts'

const ours = ['ns1.host.example', 'ns2.host.example']

/** A zone file's lines, `name type record | record`, as rrsets of example.com. */
function rrsets(lines: readonly string[]): StoredRrset[] {
  return lines.map((line) => {
    const [, name = '', type = '', records = ''] = /^(\S+) (\S+) (.+)$/.exec(line) ?? []
    return {
      name: name === '@' ? 'example.com' : `${name}.example.com`,
      type,
      ttl: 300,
      records: records.split(' | '),
    }
  })
}

function look(lines: readonly string[] = [], more: Partial<ChecklistFacts> = {}): Record<ChecklistId, ChecklistItem> {
  const content = new ZoneContent('example.com', rrsets(lines))
  const items = checklistOf({
    zone: { name: 'example.com', isLive: true, isBelowOwn: false },
    challenge: undefined,
    delegation: delegation(),
    expected: ours,
    nameservers: ours.map((name) => ({ name, inSync: true, stalledSince: null })),
    content,
    faultyMailTargets: faultyInZone(content),
    dangling: aliasesIn(content).filter(({ target }) => content.covers(target) && !content.exists(target)),
    warnings: warningsOf('example.com', content.rrsets),
    now: new Date('2026-06-01T00:00:00Z'),
    ...more,
  })
  return Object.fromEntries(items.map((item) => [item.id, item])) as Record<ChecklistId, ChecklistItem>
}

function delegation(more: Partial<ChecklistFacts['delegation']> = {}): ChecklistFacts['delegation'] {
  const at = new Date(0)
  return {
    state: 'live',
    since: at,
    parentNameservers: ours,
    registryNameservers: [],
    registryExpiresAt: null,
    checkedAt: at,
    secondaryNames: [],
    failure: null,
    ...more,
  }
}

const spf = '@ TXT "v=spf1 include:_spf.example.net ~all"'
const wellKept = [
  '@ A 192.0.2.1',
  'www CNAME example.com.',
  '@ MX 10 mail.example.net.',
  spf,
  'k1._domainkey TXT "v=DKIM1; p=AA"',
  '_dmarc TXT "v=DMARC1; p=reject"',
  '@ CAA 0 issue "letsencrypt.org"',
]

test('every item of a well-kept zone is done, and none needs a fix', () => {
  for (const item of Object.values(look(wellKept))) {
    assert.equal(item.state, 'done', `${item.id}: ${item.detail}`)
    assert.equal(item.fix, null)
  }
})

test('in an empty zone, each missing thing is a todo, and says how to do it', () => {
  const items = look()
  for (const id of ['apex', 'www', 'mx', 'spf', 'dkim', 'dmarc', 'caa'] as const) {
    assert.equal(items[id].state, 'todo', id)
    assert.ok(items[id].fix)
  }
  assert.equal(items.aliases.state, 'done')
  assert.equal(items.records.state, 'done')
})

test('reports where the domain points; a parent that gives no answer is a warning, never done', () => {
  const of = (more: Parameters<typeof delegation>[0]) => look([], { delegation: delegation(more) }).delegated
  assert.equal(of({}).state, 'done')
  assert.equal(of({ state: 'waiting', parentNameservers: [] }).state, 'todo')
  assert.match(of({ state: 'partial', parentNameservers: ['ns1.host.example', 'b.example'] }).detail, /b\.example/)
  // The state follows a minute after the answer.
  for (const state of ['waiting', 'live', 'lost'] as const) {
    const { detail, ...item } = of({ state, parentNameservers: ['ns1.host.example', 'b.example'] })
    assert.deepEqual([item.state, /only partly delegated/.test(detail)], ['warning', true], state)
    assert.equal(of({ state, parentNameservers: ['ns1.host.example'] }).state, 'warning', 'one of ours is missing')
  }
  for (const state of ['partial', 'lost', 'missing'] as const) assert.equal(of({ state }).state, 'warning', state)
  for (const failure of ['no_parent', 'timeout', 'lame', 'disagree', 'one_server'] as const)
    for (const state of ['waiting', 'live'] as const) assert.equal(of({ state, failure }).state, 'warning', failure)
})

test('before control is proved, the proof is the todo; the owner of a contested zone is warned', () => {
  const challenge = {
    txtName: '_c.example.com',
    txtValue: 'token',
    nameserver: 'x.verify.example',
    contestEndsAt: null,
  }
  const pending = { name: 'example.com', isLive: false, isBelowOwn: false }
  const mine = look([], { zone: pending, challenge })
  assert.equal(mine.verified.state, 'todo')
  for (const part of ['_c.example.com', 'token', 'x.verify.example']) assert.ok(mine.verified.fix?.includes(part))
  assert.deepEqual([mine.delegated.state, mine.replicated.state], ['todo', 'todo'])
  assert.ok(!look([], { zone: pending }).verified.fix?.includes('token'))
  const contested = look([], { challenge: { ...challenge, contestEndsAt: new Date(0) } }).verified
  assert.equal(contested.state, 'warning')
  assert.ok(contested.detail.includes('1970-01-01'))
})

test('a nameserver that is behind is named', () => {
  const late = look([], {
    nameservers: [
      { name: 'ns1', inSync: true, stalledSince: null },
      { name: 'ns2', inSync: false, stalledSince: null },
    ],
  }).replicated
  assert.equal(late.state, 'warning')
  assert.match(late.detail, /not served yet by ns2\./)
  const stalled = look([], {
    nameservers: [
      { name: 'ns1', inSync: true, stalledSince: null },
      { name: 'ns2', inSync: false, stalledSince: new Date(0) },
    ],
  }).replicated
  assert.equal(stalled.state, 'warning')
  assert.equal(stalled.detail, 'ns2 has not updated the zone since 1970-01-01T00:00:00.000Z.')
  const followsAgain = look([], { nameservers: [{ name: 'ns2', inSync: true, stalledSince: new Date(0) }] })
  assert.equal(followsAgain.replicated.state, 'done')
  assert.equal(look([], { nameservers: [] }).replicated.state, 'warning')
})

test('addresses are found through wildcards, aliases and delegations, as the DNS finds them', () => {
  assert.equal(look(['* A 192.0.2.1']).www.state, 'done')
  assert.equal(look(['* A 192.0.2.1']).apex.state, 'todo')
  assert.equal(look(['www NS ns.example.net.']).www.state, 'done')
  assert.equal(look(['www AAAA 2001:db8::1']).www.state, 'done')
  // A name that exists is not the wildcard's.
  assert.equal(look(['* A 192.0.2.1', 'www TXT "x"']).www.state, 'todo')
})

test('mail settings that contradict each other are a warning', () => {
  const cases: [id: ChecklistId, state: string, lines: string[]][] = [
    ['spf', 'warning', ['@ TXT "v=spf1 -all" | "v=spf1 mx -all"']],
    ['spf', 'warning', ['@ TXT "v=spf1 +all"']],
    ['spf', 'warning', ['@ TXT "v=spf1 all"']],
    ['spf', 'warning', [`@ TXT "v=spf1${' include:a.example'.repeat(11)} -all"`]],
    ['spf', 'done', [`@ TXT "v=spf1${' include:a.example'.repeat(10)} -all"`]],
    ['mx', 'done', ['@ MX 0 .']],
    ['mx', 'warning', ['@ MX 10 mail.example.net.', '@ TXT "v=spf1 -all"']],
    ['mx', 'done', ['@ MX 10 mx.example.com.', 'mx A 192.0.2.1']],
    ['mx', 'done', ['@ MX 10 mx.example.com.', '* AAAA 2001:db8::1']],
    ['mx', 'done', ['@ MX 10 mx.sub.example.com.', 'sub NS ns.example.net.']],
    ['mx', 'warning', ['@ MX 10 mx.example.com.']],
    ['mx', 'warning', ['@ MX 10 mx.example.com.', 'mx TXT "no address"']],
    ['mx', 'warning', ['@ MX 10 mx.example.com.', 'mx CNAME mail.example.net.']],
    ['mx', 'warning', ['@ MX 10 mx.example.com. | 20 gone.example.com.', 'mx A 192.0.2.1']],
    ['mx', 'warning', ['@ MX 10 192.0.2.1.example.com.']],
    ['mx', 'warning', ['@ MX 0 . | 10 mail.example.net.']],
    ['dkim', 'done', ['@ TXT "v=spf1 -all"']],
    ['dkim', 'done', ['s1._domainkey CNAME s1.provider.example.']],
    ['dmarc', 'warning', ['_dmarc TXT "v=DMARC1; p=none" | "v=DMARC1; p=reject"']],
    ['dmarc', 'warning', ['_dmarc TXT "v=DMARC1; rua=mailto:a@example.com"']],
    ['dmarc', 'warning', ['_dmarc TXT "v=DMARC1; p=reject"']],
    ['dmarc', 'done', ['_dmarc TXT "v=DMARC1;p=none"']],
    ['dmarc', 'done', ['_dmarc CNAME dmarc.example.net.']],
  ]
  for (const [id, state, lines] of cases) assert.equal(look(lines)[id].state, state, `${id}: ${lines.join(', ')}`)
})

test('a mail warning names each target and its fault, and says whether any mail arrives', () => {
  const all = look([
    '@ MX 10 mx.example.com. | 20 alias.example.com.',
    'mx TXT "x"',
    'alias CNAME mail.example.net.',
  ]).mx
  assert.match(all.detail, /^Mail to example\.com may not arrive: mx\.example\.com has no A or AAAA record, alias/)
  const part = look(['@ MX 10 mx.example.com. | 20 gone.example.com.', 'mx A 192.0.2.1']).mx
  assert.equal(part.detail, 'Some mail to example.com may not arrive: gone.example.com does not exist.')
  assert.equal(look(['www CNAME gone.example.com.']).www.state, 'warning')
})

test('names an alias whose target in the zone does not exist, and reports warnings about the records', () => {
  const odd = look(['shop CNAME gone.example.com.', 'blog CNAME here.example.com.', 'x.here A 192.0.2.1'])
  assert.equal(odd.aliases.state, 'warning')
  assert.match(odd.aliases.detail, /^shop\.example\.com points to gone/)
  const warned = look(['@ MX 10 alias.example.com.', 'alias CNAME example.com.'])
  assert.equal(warned.records.state, 'warning')
  assert.match(warned.records.detail, /which is a CNAME/)
})

test('a registration that ends soon is a warning; an unknown end is not reported', () => {
  const until = (day: string) => look([], { delegation: delegation({ registryExpiresAt: new Date(day) }) }).expiry
  assert.equal(look().expiry, undefined)
  assert.equal(until('2026-07-02T00:00:00Z').state, 'done')
  assert.equal(until('2026-06-30T00:00:00Z').state, 'warning')
  assert.match(until('2026-05-30T00:00:00Z').detail, /ended on 2026-05-30/)
})
