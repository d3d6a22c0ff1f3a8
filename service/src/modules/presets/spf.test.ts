import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { faultOfRules, isSpf, lookupsOf, mergeSpf, termsOf } from './spf.ts'
import { canonicalTxt, textOfTxt } from './txt.ts'

const cases: [existing: string[], rules: string[], merged: string][] = [
  [[], ['include:a.example'], '"v=spf1 include:a.example ~all"'],
  [['"v=spf1 -all"'], ['include:a.example'], '"v=spf1 include:a.example -all"'],
  [['"v=spf1 mx ~all"'], ['include:a.example', 'mx'], '"v=spf1 mx include:a.example ~all"'],
  [['"v=spf1 ?include:a.example -all"'], ['include:a.example'], '"v=spf1 include:a.example -all"'],
  [['"v=spf1 include:a.example -all"'], ['~include:A.example'], '"v=spf1 include:a.example -all"'],
  [['"v=spf1 redirect=b.example"'], ['include:a.example'], '"v=spf1 redirect=b.example include:a.example"'],
  [['"v=spf1 a -all"', '"V=SPF1 mx ~all"'], ['ip4:192.0.2.1'], '"v=spf1 a mx ip4:192.0.2.1 ~all"'],
  [['"v=spf1  a " " -all"'], ['a'], '"v=spf1  a " " -all"'],
  [['"v=spf1"'], [], '"v=spf1"'],
  // Terms after `all` are never evaluated, and have no effect. Modifiers count at any position.
  [['"v=spf1 mx -all ip4:203.0.113.0/24"'], ['include:a.example'], '"v=spf1 mx include:a.example -all"'],
  [['"v=spf1 mx ~ALL a +all"'], ['include:a.example'], '"v=spf1 mx include:a.example ~ALL"'],
  [['"v=spf1 -all exp=b.example a"'], ['include:a.example'], '"v=spf1 exp=b.example include:a.example -all"'],
  [['"v=spf1 -all include:a.example"'], ['include:a.example'], '"v=spf1 include:a.example -all"'],
  [['"v=spf1 include:a.example -all mx"'], ['include:a.example'], '"v=spf1 include:a.example -all mx"'],
  [['"v=spf1 a -all ptr"', '"v=spf1 mx ~all"'], ['a'], '"v=spf1 a mx ~all"'],
]

test('SPF rules are merged into one record, which keeps what was allowed and its end', () => {
  for (const [existing, rules, merged] of cases) assert.equal(mergeSpf(existing, rules), merged)
})

test('a merge loses nothing that was allowed and leaves one record, and a second merge has no effect', () => {
  const mechanism = fc.constantFrom('a', 'mx', 'include:a.example', 'ip4:192.0.2.0/24', 'exists:%{i}.x.example', 'ptr')
  const term = fc.tuple(fc.constantFrom('', '+', '?', '~', '-'), mechanism).map((parts) => parts.join(''))
  const end = fc.constantFrom('', '-all', '~all', '?all', '+all', 'redirect=b.example')
  const record = fc
    .tuple(fc.array(term, { maxLength: 30 }), end, fc.array(fc.oneof(term, end), { maxLength: 3 }))
    .map(([before, end, behind]) => canonicalTxt(['v=spf1', ...before, end, ...behind].join(' ')))
  fc.assert(
    fc.property(fc.array(record, { maxLength: 3 }), fc.array(term, { maxLength: 5 }), (existing, rules) => {
      const merged = mergeSpf(existing, rules)
      assert.equal(mergeSpf([merged], rules), merged)
      assert.equal(canonicalTxt(textOfTxt(merged)) === merged || existing.includes(merged), true)
      const bare = (text: string): string => text.replace(/^[+?~-]/, '')
      const seen = (record: string): string[] => {
        const terms = termsOf(textOfTxt(record)).map(bare)
        const end = terms.indexOf('all')
        return end < 0 ? terms : [...terms.slice(0, end + 1), ...terms.slice(end).filter((text) => text.includes('='))]
      }
      const allowed = new Set([...existing.flatMap(seen), ...rules.map(bare)])
      const kept = new Set(seen(merged))
      for (const text of allowed) assert.ok(kept.has(text), `${text} in ${merged}`)
      for (const text of kept)
        assert.ok(allowed.has(text) || (existing.length === 0 && /^(v=spf1|all)$/.test(text)), `${text} in ${merged}`)
    }),
  )
})

test('only a text whose first term is exactly the version is an SPF record', () => {
  for (const text of ['"v=spf1"', '"v=spf1 a"', '"V=SPF1 a"', '"v=sp" "f1 a"']) assert.ok(isSpf(text), text)
  for (const text of ['"v=spf10 a"', '"v=spf2.0/pra a"', '" v=spf1 a"', '"x"']) assert.ok(!isSpf(text), text)
})

test('terms that cost a lookup are counted', () => {
  assert.equal(lookupsOf('"v=spf1 a mx:x.example include:a +ptr ~exists:b a/24 redirect=c"'), 7)
  assert.equal(lookupsOf('"v=spf1 ip4:192.0.2.1 ip6:2001:db8::1 all exp=a.example"'), 0)
  assert.equal(lookupsOf('"v=spf1 mx -all a include:a.example"'), 1, 'nothing behind `all` is looked at')
})

test('rules that decide for all senders are refused', () => {
  for (const rule of ['all', '-all', '+ALL', 'redirect=x.example']) assert.ok(faultOfRules(['a', rule]), rule)
  assert.equal(faultOfRules(['a', 'include:all.example']), undefined)
})
