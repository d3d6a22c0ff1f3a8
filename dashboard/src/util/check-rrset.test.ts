import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRrset, type KnownRrset, relativeName, shownOwner, shownRecord, typedTarget } from './check-rrset.ts'
import { recordForms } from './record-forms.ts'

const check = (name: string, type: string, ...values: string[]) =>
  checkRrset('example.com', { name, type, ttl: 300, values })

test('valid input becomes what the server will store', () => {
  assert.deepEqual(check('WWW', 'a', ' 192.0.2.1 ', '', '192.0.2.1').canonical, {
    name: 'www.example.com',
    type: 'A',
    ttl: 300,
    records: ['192.0.2.1'],
  })
  assert.equal(check('', 'MX', '10 mail').canonical?.records[0], '10 mail.example.com.')
  assert.equal(check('grüße', 'A', '192.0.2.1').canonical?.name, 'xn--gre-6ka8l.example.com')
})

test('each error is shown at its place', () => {
  assert.match(check('www', 'A', '192.0.2.1', '192.0.2.999').values[1] ?? '', /^A needs/)
  assert.match(check('@', 'CNAME', 'a.example.net.').type ?? '', /at its own name/)
  assert.match(check('a.*', 'A', '192.0.2.1').name ?? '', /wildcard/)
  assert.match(check('bücher/x', 'A', '192.0.2.1').name ?? '', /not a domain name/)
  assert.match(check('www', 'CNAME', 'a.example.net.', 'b.example.net.').together ?? '', /at most one/)
  assert.match(check('www', 'MX', '10 192.0.2.1').values[0] ?? '', /is an address/)
  assert.match(checkRrset('example.com', { name: 'www', type: 'A', ttl: 5, values: ['192.0.2.1'] }).ttl ?? '', /30 to/)
  assert.equal(check('www', 'A', '').canonical, undefined)
})

test('one invalid value among valid ones prevents saving all of them, and is shown at its place', () => {
  for (const [type, good, bad] of [
    ['A', ['192.0.2.1', '192.0.2.2'], '192.0.2.999'],
    ['AAAA', ['2001:db8::1', '2001:db8::2'], '2001:db8::g'],
    ['MX', ['10 mail', '20 mail2'], '10'],
    ['TXT', ['"a"', '"b"'], '"c'],
    ['CAA', ['0 issue "a.test"', '0 issue "b.test"'], '256 issue "c.test"'],
    ['SRV', ['1 2 443 a.example.net.', '1 2 444 a.example.net.'], '1 2 65536 a.example.net.'],
  ] as const) {
    assert.equal(check('www', type, ...good).canonical?.records.length, 2, type)
    for (const at of [0, 1, 2]) {
      const values = [...good.slice(0, at), bad, ...good.slice(at)]
      const checked = check('www', type, ...values)
      assert.equal(checked.canonical, undefined, `${type} ${at}`)
      assert.deepEqual(Object.keys(checked.values), [String(at)], `${type} ${at}`)
      // An empty value before it shifts its position, and a duplicate does not compensate for this.
      const spread = check('www', type, '', ...values, good[0])
      assert.equal(spread.canonical, undefined, `${type} ${at}`)
      assert.deepEqual(Object.keys(spread.values), [String(at + 1)], `${type} ${at}`)
    }
  }
})

test('an invalid name, type or TTL prevents saving valid values', () => {
  const typed = { name: 'www', type: 'A', ttl: 300, values: ['192.0.2.1'] }
  assert.ok(checkRrset('example.com', typed).canonical)
  for (const [change, at] of [
    [{ name: 'a.*' }, 'name'],
    [{ name: 'a b' }, 'name'],
    [{ type: 'NOTHING' }, 'type'],
    [{ name: '@', type: 'CNAME', values: ['a.example.net.'] }, 'type'],
    [{ ttl: 29 }, 'ttl'],
    [{ ttl: Number.NaN }, 'ttl'],
    [{ ttl: 300.5 }, 'ttl'],
    [{ type: 'CNAME', values: ['a.example.net.', 'b.example.net.'] }, 'together'],
  ] as const) {
    const checked = checkRrset('example.com', { ...typed, ...change })
    assert.equal(checked.canonical, undefined, JSON.stringify(change))
    assert.ok(checked[at], JSON.stringify(change))
    assert.deepEqual(checked.values, {})
  }
})

test('a new name needs a backslash before unusual characters, and an existing name does not', () => {
  const known = [{ name: 'a#b.example.com', type: 'CNAME', records: ['app:80.example.net.'] }]
  const at = (name: string, type: string, value: string) =>
    checkRrset('example.com', { name, type, ttl: 300, values: [value] }, { known })
  for (const name of ['c#d', 'user@host', "it's", 'a,b', '(www)'])
    assert.match(at(name, 'A', '192.0.2.1').name ?? '', /backslash|URL/, name)
  for (const name of ['c\\#d', '0/25', 'a+b', '_dmarc', '*', 'www.@', 'bücher', 'a#b', 'a#b.example.com.'])
    assert.equal(at(name, 'TXT', 'x').name, undefined, name)
  assert.ok(at('a#b', 'CNAME', 'app:80.example.net.').canonical, 'as it is printed')
  assert.match(at('a#b', 'CNAME', 'app:81.example.net.').values[0] ?? '', /contains `:`/)
  assert.match(at('www', 'CNAME', 'app:80.example.net.').values[0] ?? '', /contains `:`/)
  assert.match(at('www', 'CNAME', '192.0.2.1').values[0] ?? '', /is an address/)
})

test('a record that conflicts with another one in the zone is an error, as on the server', () => {
  const rrset = (below: string, type: string, ...records: string[]): KnownRrset => ({
    name: below === '' ? 'example.com' : `${below}.example.com`,
    type,
    ttl: 300,
    records,
  })
  const others = [
    rrset('a', 'A', '192.0.2.1'),
    rrset('c', 'CNAME', 'x.example.net.'),
    rrset('l', 'ALIAS', 'x.example.net.'),
    rrset('n', 'NS', 'ns.example.net.'),
    rrset('d', 'DNAME', 'x.example.net.'),
  ]
  const together = (name: string, type: string, value: string, ttl = 300) =>
    checkRrset('example.com', { name, type, ttl, values: [value] }, { others }).together
  for (const [name, type, value, error] of [
    ['a', 'CNAME', 'y.example.net', /^a\.example\.com has A records\. A CNAME must be the only/],
    ['a', 'ALIAS', 'y.example.net', /^a\.example\.com has A records\. An ALIAS/],
    ['c', 'A', '192.0.2.1', /^c\.example\.com is a CNAME/],
    ['c', 'ALIAS', 'y.example.net', /^c\.example\.com is a CNAME/],
    ['c', 'CNAME', 'y.example.net', /at most one CNAME record; this would make 2/],
    ['l', 'AAAA', '2001:db8::1', /has an ALIAS to x\.example\.net\./],
    ['n', 'DNAME', 'y.example.net', /both a DNAME and NS/],
    ['d', 'NS', 'ns.example.net', /both a DNAME and NS/],
    ['a.d', 'A', '192.0.2.1', /the DNAME of d\.example\.com/],
    ['@', 'DNAME', 'y.example.net', /while records exist below it/],
    ['a', 'A', '192.0.2.1', /already has this record/],
  ] as const)
    assert.match(together(name, type, value) ?? '', error, `${name} ${type}`)
  for (const [name, type, value] of [
    ['a', 'A', '192.0.2.2'],
    ['l', 'MX', '10 mail.example.net'],
    ['n', 'TXT', '"x"'],
    ['d', 'TXT', '"x"'],
    ['www', 'CNAME', 'y.example.net'],
  ] as const)
    assert.equal(together(name, type, value), undefined, `${name} ${type}`)
  assert.equal(together('a', 'A', '192.0.2.1', 600), undefined, 'the TTL changes')
})

test('a pasted URL is read as its host, both as a name and as a target', () => {
  for (const [typed, name] of [
    ['https://www', 'www.example.com'],
    ['https://www.example.com', 'www.example.com'],
    ['http://me@Shop.example.com:8080/cart?x=1#y', 'shop.example.com'],
    ['https://example.com/', 'example.com'],
    ['www.example.com.', 'www.example.com'],
    ['www.example.com/path', 'www.example.com'],
    ['0/25', '0/25.example.com'],
  ] as const)
    assert.equal(check(typed, 'A', '192.0.2.1').canonical?.name, name, typed)
  assert.match(check('https://www.other.test', 'A', '192.0.2.1').name ?? '', /not in the zone/)
  assert.equal(typedTarget('https://shops.example.net/path'), 'shops.example.net')
  assert.equal(typedTarget('bücher.example.net.'), 'xn--bcher-kva.example.net.')
  assert.equal(typedTarget('mail'), 'mail')
})

test('names and targets are shown in Unicode, and text is not changed', () => {
  assert.equal(shownOwner('xn--bcher-kva.example.com', 'example.com'), 'bücher')
  assert.equal(shownRecord('MX', '10 xn--bcher-kva.example.net.'), '10 bücher.example.net.')
  assert.equal(shownRecord('TXT', '"xn--bcher-kva"'), '"xn--bcher-kva"')
})

test('a name with a dot is absolute, a name without one is in the zone, and the form shows the result', () => {
  for (const [type, typed, record] of [
    ['CNAME', 'shops.myshopify.com', 'shops.myshopify.com.'],
    ['CNAME', 'Shops.MyShopify.com', 'shops.myshopify.com.'],
    ['CNAME', 'mail.example.com', 'mail.example.com.'],
    ['MX', '1 aspmx.l.google.com', '1 aspmx.l.google.com.'],
    ['MX', '10 mail', '10 mail.example.com.'],
    ['SRV', '10 5 5061 sip.lan', '10 5 5061 sip.lan.'],
    ['CNAME', '@', 'example.com.'],
    ['HTTPS', '1 cdn.example.net alpn=h2', '1 cdn.example.net. alpn="h2"'],
    ['NAPTR', '100 10 "S" "SIP+D2U" "" _sip._udp.example.net', '100 10 "S" "SIP+D2U" "" _sip._udp.example.net.'],
    ['RP', 'admin.example.net text', 'admin.example.net. text.example.com.'],
    ['CNAME', 'a\\.b', 'a\\.b.example.com.'],
  ] as const) {
    const { canonical, readings } = check('www', type, '', typed)
    assert.deepEqual([canonical?.records, readings], [[record], { 1: record }], typed)
  }
  for (const [type, typed] of [
    ['CNAME', 'shops.myshopify.com.'],
    ['MX', '10 MAIL.example.net.'],
    ['MX', '0 .'],
    ['TXT', '"a.example.net"'],
    ['CAA', '0 issue "letsencrypt.org"'],
    ['URI', '10 1 "https://example.net/"'],
    ['A', '192.0.2.1'],
  ] as const)
    assert.deepEqual(check('www', type, typed).readings, {}, typed)
})

test('invalid input in any field is an error and never throws', () => {
  for (const junk of ['\u0000', '💥', '"', '\\', '\\999', '..', '<script>', 'a'.repeat(5_000), '\n', '%', '::', '((('])
    for (const type of ['A', 'TXT', 'MX', 'CAA', 'SRV', 'HTTPS', 'TYPE65400', junk])
      for (const name of ['www', junk]) check(name, type, junk, `10 ${junk}`)
})

test('the form of each type returns the values that it was given', () => {
  const samples: Record<string, string> = {
    A: '192.0.2.1',
    AAAA: '2001:db8::1',
    CNAME: 'a.example.net.',
    ALIAS: 'a.example.net.',
    MX: '10 mail.example.net.',
    TXT: '"v=spf1 -all"',
    SRV: '1 2 443 a.example.net.',
    CAA: '0 issue "letsencrypt.org; validationmethods=dns-01"',
    NS: 'ns.example.net.',
    HTTPS: '1 . alpn="h2,h3"',
    SVCB: '1 a.example.net. port=443',
    PTR: 'a.example.net.',
    DNAME: 'b.example.net.',
    DS: '2371 13 2 32996839a6d808afe3eb4a795a0e6a7a39a76fc52ff228b22b76f6d63826f2b9',
    SSHFP: '4 2 32996839a6d808afe3eb4a795a0e6a7a39a76fc52ff228b22b76f6d63826f2b9',
    TLSA: '3 1 1 32996839a6d808afe3eb4a795a0e6a7a39a76fc52ff228b22b76f6d63826f2b9',
    NAPTR: '100 10 "S" "SIP+D2U" "" _sip._udp.example.net.',
  }
  assert.deepEqual(Object.keys(samples).sort(), Object.keys(recordForms).sort())
  for (const [type, form] of Object.entries(recordForms)) {
    const { canonical } = check('www', type, samples[type] ?? '')
    assert.ok(canonical, type)
    const again = check('www', type, form.toData(form.toParts(canonical.records[0] ?? '')))
    assert.deepEqual(again.canonical?.records, canonical.records, type)
  }
})

test('names are shown as people write them in their zone', () => {
  assert.equal(relativeName('example.com', 'example.com'), '@')
  assert.equal(relativeName('a.b.example.com', 'example.com'), 'a.b')
})

test('a name that repeats the zone’s name is shown in full, and every shown name means that name', () => {
  assert.equal(relativeName('www.example.com.example.com', 'example.com'), 'www.example.com.example.com.')
  for (const below of [
    '',
    'www.',
    'a.b.',
    '*.',
    'example.com.',
    'www.example.com.',
    '*.example.com.',
    'anexample.com.',
  ]) {
    const name = `${below}example.com`
    assert.equal(check(relativeName(name, 'example.com'), 'A', '192.0.2.1').canonical?.name, name)
  }
})
