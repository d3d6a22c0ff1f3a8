import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DomainName, nameFromWire, nameToWire, parseName } from '@zonewright/dns'
import fc from 'fast-check'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { codeOf, type FreshZone, faultsOf, testZones, zoneFileType } from '#testing/test-zones.ts'

const api = await startTestApi()
const { freshZone } = await testZones(api)

interface SentRrset {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: string[]
}

const address = ['192.0.2.1']

/** Every way in which names and values are sent as JSON or in a path, each with the places of its name and first value. */
const waysIn: readonly {
  readonly way: string
  readonly send: (zone: FreshZone, name: string, type: string, records: string[]) => Promise<TestAnswer>
  readonly name: string
  readonly value: string
}[] = [
  {
    way: 'PUT',
    send: (zone, name, type, records) => zone.put(name, type, records),
    name: 'name',
    value: '/records/0',
  },
  {
    way: 'POST',
    send: (zone, name, type, records) => zone.call('POST', '/rrsets', { body: { name, type, records } }),
    name: '/name',
    value: '/records/0',
  },
  {
    way: 'PATCH',
    send: (zone, name, type, records) =>
      zone.call('PATCH', `/rrsets/${encodeURIComponent(name)}/${type}`, { body: { add: records } }),
    name: 'name',
    value: '/add/0',
  },
  {
    way: 'bulk PATCH',
    send: (zone, name, type, records) =>
      zone.call('PATCH', '/rrsets', { body: { changes: [{ name, type, records }] } }),
    name: '/changes/0/name',
    value: '/changes/0/records/0',
  },
  {
    way: 'bulk PUT',
    send: (zone, name, type, records) => zone.call('PUT', '/rrsets', { body: { rrsets: [{ name, type, records }] } }),
    name: '/rrsets/0/name',
    value: '/rrsets/0/records/0',
  },
  {
    way: 'JSON import',
    send: (zone, name, type, records) => zone.call('POST', '/import', { body: { rrsets: [{ name, type, records }] } }),
    name: '/rrsets/0/name',
    value: '/rrsets/0/records/0',
  },
]

async function ownRrsets(zone: FreshZone): Promise<SentRrset[]> {
  const { data } = (await zone.call('GET', '/rrsets?limit=200')).body
  return data
    .filter(({ managed }: { managed: boolean }) => !managed)
    .map(({ name, type, ttl, records }: SentRrset) => ({ name, type, ttl, records }))
}

function importFile(zone: FreshZone, body: string, query = ''): Promise<TestAnswer> {
  return zone.call('POST', `/import${query}`, { body, headers: zoneFileType })
}

/** Fails unless a response is a success. */
function assertTaken(answer: TestAnswer, about: string): void {
  assert.ok(answer.status < 300, `${about}: ${answer.status} ${JSON.stringify(answer.body)}`)
}

test('a new owner name with a character that needs a backslash is refused without one, in every kind of write', async () => {
  const zone = await freshZone()
  for (const { way, send, name: place } of waysIn) {
    for (const name of ['a#b', 'user@host', 'a:b', "it's", '(x)', 'a,b', '$ttl', `a#b.${zone.name}`])
      assert.deepEqual(faultsOf(await send(zone, name, 'A', address)), [`bad_name ${place}`], `${way} ${name}`)
    for (const name of ['https://www.example.net', 'a b', 'a"b'])
      assert.deepEqual(faultsOf(await send(zone, name, 'A', address)), [`bad_name ${place}`], `${way} ${name}`)
    const dry = await zone.call('PUT', '/rrsets/a%23b/A?dry_run=true', { body: { records: address } })
    assert.equal(dry.status, 422)
  }
  assert.deepEqual(await ownRrsets(zone), [])
})

test('letters, digits, - _ * / + = ~, escaped characters, IDNs and a last label @ are accepted in every kind of write', async () => {
  for (const { way, send } of waysIn)
    for (const [name, printed] of [
      ['a-b', 'a-b'],
      ['_sip._tcp', '_sip._tcp'],
      ['*.x', '*.x'],
      ['0/25', '0/25'],
      ['a+b=c~d', 'a+b=c~d'],
      ['a\\#b', 'a#b'],
      ['a\\032b', 'a\\032b'],
      ['user\\@host', 'user\\@host'],
      ['bücher', 'xn--bcher-kva'],
      ['BÜCHER.0/25', 'xn--bcher-kva.0/25'],
      ['_sip._tls.@', '_sip._tls'],
    ] as const) {
      const zone = await freshZone()
      assertTaken(await send(zone, name, 'A', address), `${way} ${name}`)
      assert.deepEqual(
        (await ownRrsets(zone)).map((rrset) => rrset.name),
        [`${printed}.${zone.name}`],
        `${way} ${name}`,
      )
    }
})

test('an existing name is accepted as it is printed, also for other types, and can be deleted', async () => {
  for (const { way, send } of waysIn) {
    const zone = await freshZone()
    await importFile(zone, "a#b 60 A 192.0.2.1\nit's 60 A 192.0.2.1\nc\\@d 60 A 192.0.2.1\n")
    const before = await ownRrsets(zone)
    assert.equal(before.length, 3)
    for (const { name } of before) {
      const zoneNow = await freshZone()
      await importFile(zoneNow, "a#b 60 A 192.0.2.1\nit's 60 A 192.0.2.1\nc\\@d 60 A 192.0.2.1\n")
      const printed = name.replace(zone.name, zoneNow.name)
      assertTaken(await send(zoneNow, printed, 'TXT', ['x']), `${way} ${printed}`)
      if (way !== 'POST') assertTaken(await send(zoneNow, printed, 'A', ['192.0.2.2']), `${way} ${printed}`)
    }
    const [first] = before
    const path = `/rrsets/${encodeURIComponent(first?.name ?? '')}/A`
    assert.equal((await zone.call('DELETE', path)).status, 204)
    assert.equal((await zone.call('DELETE', path)).status, 204, 'a second time, too')
    assert.equal((await send(zone, first?.name ?? '', 'A', address)).status, 422, `${way}: it is new again`)
    const changes = before.slice(1).map(({ name, type }) => ({ name, type, records: [] }))
    assertTaken(await zone.call('PATCH', '/rrsets', { body: { changes } }), 'deleting many')
    assert.deepEqual(await ownRrsets(zone), [])
  }
})

test('a version is restored with its names and values, even if new ones could not be written that way', async () => {
  const zone = await freshZone()
  await importFile(zone, "a#b 60 A 192.0.2.1\nit's 60 CNAME x\\:80\n")
  const before = await ownRrsets(zone)
  assertTaken(await zone.call('PUT', '/rrsets', { body: { rrsets: [] } }), 'emptying')
  assert.deepEqual(await ownRrsets(zone), [])
  assertTaken(await zone.call('POST', '/versions/1/restore?dry_run=true'), 'trying')
  assertTaken(await zone.call('POST', '/versions/1/restore'), 'restoring')
  assert.deepEqual(await ownRrsets(zone), before)
})

test('an owner name in a zone file that begins like a comment or is a URL is refused on its line, unless the zone has it', async () => {
  const zone = await freshZone()
  const body = [
    'www 60 A 192.0.2.1',
    '#old 300 IN A 192.0.2.66',
    '#www CNAME elsewhere.example.net.',
    '//x 60 A 192.0.2.1',
    'http://y 60 A 192.0.2.1',
    '# a comment of another format',
    '',
  ].join('\n')
  const lines = ['bad_name 2', 'bad_name 3', 'bad_name 4', 'bad_name 5', 'bad_name 6']
  const refused = await importFile(zone, body)
  assert.deepEqual(codeOf(refused), [422, 'validation_failed'])
  assert.deepEqual(faultsOf(refused), lines)
  const dry = await importFile(zone, body, '?dry_run=true')
  assert.deepEqual(
    dry.body.errors.map(({ code, line }: { code: string; line: number }) => `${code} ${line}`),
    lines,
  )
  assert.equal(dry.body.diff.changes.length, 1, 'what the rest would do')
  assertTaken(await importFile(zone, '\\#old 60 A 192.0.2.1\n'), 'escaped, it is a name')
  assertTaken(await importFile(zone, '#old 60 A 192.0.2.2\n#old 60 TXT "x"\n'), 'a name that is there')
  assert.deepEqual(
    (await ownRrsets(zone)).map(({ name, type, records }) => [name, type, ...records]),
    [
      [`#old.${zone.name}`, 'A', '192.0.2.2'],
      [`#old.${zone.name}`, 'TXT', '"x"'],
    ],
  )
})

test('a dry run of a zone file warns about names without backslashes and texts without quotes, each on its line', async () => {
  const zone = await freshZone()
  const body = 'a#b 60 A 192.0.2.1\nspf 60 TXT v=spf1 -all\nq 60 TXT "“x”"\nok 60 TXT "x y"\n'
  const { body: planned } = await importFile(zone, body, '?dry_run=true')
  assert.deepEqual(
    planned.warnings.map(({ code, line, name, type }: Record<string, string>) => [code, line, name, type]),
    [
      ['unescaped_name', 1, `a#b.${zone.name}`, 'A'],
      ['unquoted_text', 2, `spf.${zone.name}`, 'TXT'],
      ['typographic_quote', 3, `q.${zone.name}`, 'TXT'],
    ],
  )
  assertTaken(await importFile(zone, body), 'zone files keep their rules')
})

test('texts of several words without quotes are refused in every kind of write, and removed by the same rule', async () => {
  const zone = await freshZone()
  for (const type of ['TXT', 'SPF', 'RESINFO', 'WALLET'])
    for (const { way, send, value } of waysIn)
      for (const text of ['v=spf1 include:x ~all', "'x y'", '“x”', '"a" b', 'k="v"']) {
        const refused = await send(zone, 'text', type, [text])
        assert.deepEqual(faultsOf(refused), [`bad_rdata ${value}`], `${way} ${type} ${text}`)
      }
  for (const text of [`${'x'.repeat(300)} y`, `p= ${'x'.repeat(300)}`, `${'ab '.repeat(200)}`]) {
    const [detail] = (await zone.put('text', 'TXT', [text])).body.error.details
    assert.ok(detail.message.includes(`"${text.slice(0, 200)}`), `its first 200 characters: ${detail.message}`)
  }
  await zone.put('text', 'TXT', ['"a b"', 'token', '"x" "y"'])
  const patch = (body: object) => zone.call('PATCH', '/rrsets/text/TXT', { body })
  assert.deepEqual(faultsOf(await patch({ remove: ['a b'] })), ['bad_rdata /remove/0'])
  assert.deepEqual((await patch({ remove: ['"a b"', 'token'] })).body.records, ['"x" "y"'])
})

test('a text in double quotes that begins with a typographic quotation mark is accepted with a warning', async () => {
  const zone = await freshZone()
  const warned = ({ body }: TestAnswer): string[] =>
    (body.warnings ?? []).map(
      ({ code, message }: { code: string; message: string }) => `${code} ${/‘|“|„|«/.exec(message)}`,
    )
  for (const [i, mark] of ['‘', '“', '„', '«'].entries())
    assert.deepEqual(warned(await zone.put(`q${i}`, 'TXT', [`"${mark}x y"`])), [`typographic_quote ${mark}`])
  const patched = await zone.call('PATCH', '/rrsets/q0/TXT', { body: { add: ['"„new"'] } })
  assert.deepEqual(warned(patched), ['typographic_quote „'], 'only of the new one')
  for (const text of ['"x “y”"', '"\'x\'"', '"”x"', 'x“', '"" "“"'])
    assert.deepEqual(warned(await zone.put('plain', 'TXT', [text])), [], text)
})

test('a PTR at an address is accepted with a warning that gives the reverse name', async () => {
  const zone = await freshZone()
  const { body } = await zone.put('192.0.2.1', 'PTR', ['host.example.net.'])
  assert.deepEqual(
    body.warnings.map(({ code, message }: { code: string; message: string }) => [
      code,
      /\S+\.in-addr\.arpa/.exec(message)?.[0],
    ]),
    [['reverse_name', '1.2.0.192.in-addr.arpa']],
  )
  for (const [name, type, value] of [
    ['192.0.2.1', 'TXT', '"x"'],
    ['1.2.0', 'PTR', 'host.example.net.'],
    ['a.192.0.2.1', 'PTR', 'host.example.net.'],
    ['999.1.1.1', 'PTR', 'host.example.net.'],
    ['1.2.0.192.rev', 'PTR', 'host.example.net.'],
  ] as const)
    assert.deepEqual((await zone.put(name, type, [value])).body.warnings ?? [], [], `${name} ${type}`)
})

test('a text with an invisible character is accepted with a warning that names the character', async () => {
  const zone = await freshZone()
  const warned = ({ body }: TestAnswer): string[] =>
    (body.warnings ?? []).map(
      ({ code, message }: { code: string; message: string }) => `${code} ${/U\+[0-9A-F]{4}/.exec(message)}`,
    )
  const characters =
    '\u00a0\u00ad\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff'
  for (const [i, character] of [...characters].entries()) {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    const answer = await zone.put(`i${i}`, 'TXT', [`"v=spf1${character}-all"`])
    assert.deepEqual(warned(answer), [`invisible_character U+${code}`])
    assert.doesNotMatch(answer.body.warnings[0].message, /[\p{Bidi_Control}\u00ad\u200b\u2060\ufeff]/u)
  }
  for (const text of ['"aaa\\194" "\\160x"', '"v=spf1" "\u200b"', `"${'x'.repeat(100)}\u2060"`])
    assert.deepEqual(warned(await zone.put('parts', 'TXT', [text])).length, 1, text)
  // Some languages need some of these characters, and data that is not UTF-8 has no characters.
  for (const text of [
    '"Prix\u00a0: 10 €"',
    '"\u0645\u200fx"',
    '"ក\u200bខ"',
    '"\\001\\194\\160\\255"',
    '"x\\\\194\\160"',
  ])
    assert.deepEqual(warned(await zone.put('good', 'TXT', [text])), [], text)
  for (const text of ['"v=spf1 -all"', '"é 日本 👩‍💻 می‌خواهم"', '"\\\\194\\\\160"'])
    assert.deepEqual(warned(await zone.put('plain', 'TXT', [text])), [], text)
})

test('a target that is not a domain name does not also get advice about a final dot', async () => {
  const zone = await freshZone()
  for (const target of ['https://shop.example.com', 'shop.example.com:443', '//shop.example.com'])
    assert.deepEqual(faultsOf(await zone.put('www', 'CNAME', [target])), ['bad_rdata /records/0'], target)
})

test('an existing target is accepted as it is printed, and a new one is not', async () => {
  const zone = await freshZone()
  await zone.put('www', 'CNAME', ['app\\:80.example.net.'])
  const [{ records = [] } = {}] = await ownRrsets(zone)
  assert.deepEqual(records, ['app:80.example.net.'])
  assertTaken(await zone.put('www', 'CNAME', records, { ttl: 60 }), 'as it is printed')
  assertTaken(await importFile(zone, 'www 300 CNAME app:80.example.net.\n'), 'in a zone file')
  assertTaken(await zone.call('PATCH', '/rrsets/www/CNAME', { body: { remove: records } }), 'removing it')
  assert.deepEqual(faultsOf(await zone.put('www', 'CNAME', records)), ['bad_rdata /records/0'])
  for (const [line, target] of ['http://x', '192.0.2.1', 'app:80', '//x.', '2001:db8::1'].entries()) {
    const refused = await importFile(zone, `${'\n'.repeat(line)}www 300 CNAME ${target}\n`)
    assert.deepEqual(faultsOf(refused), [`bad_rdata ${line + 1}`], target)
  }
})

/** Owner names of any bytes below a zone. */
const anyNames = (zone: DomainName): fc.Arbitrary<DomainName[]> => {
  const label = fc.oneof(
    { weight: 3, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 10 }) },
    fc.constantFrom('#', '#old', '//', 'http://x', '@', '.', '\\', '"', ' ', '*', '$TTL', ';', '(').map(bytesOf),
  )
  const name = fc
    .array(label, { minLength: 1, maxLength: 4 })
    .map((labels) => [...labels.flatMap((each) => [each.length, ...each]), ...nameToWire(zone)])
    .map((wire) => nameFromWire(Uint8Array.from(wire)))
    .filter((each) => !/\.\*\./.test(each))
  return fc.uniqueArray(name, { minLength: 150, maxLength: 150 })
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

test('any names and targets pass from GET to PUT and from export to import unchanged, also into an empty zone', async () => {
  const zone = await freshZone()
  const origin = parseName(`${zone.name}.`)
  await fc.assert(
    fc.asyncProperty(anyNames(origin), async (names) => {
      const lines = names.map(
        (name, i) => `${escapedWhole(name)} 300 ${i % 2 === 0 ? 'A 192.0.2.1' : `CNAME ${escapedWhole(name)}`}`,
      )
      assertTaken(await importFile(zone, `${lines.join('\n')}\n`, '?mode=replace'), 'the names')
      const rrsets = await ownRrsets(zone)
      assert.equal(rrsets.length, names.length)
      const version = await zone.version()
      assertTaken(await zone.call('PUT', '/rrsets', { body: { rrsets } }), 'GET → PUT')
      assertTaken(await zone.call('POST', '/import?mode=replace', { body: { rrsets } }), 'GET → import')
      const changes = rrsets.slice(0, 50)
      assertTaken(await zone.call('PATCH', '/rrsets', { body: { changes } }), 'GET → PATCH')
      for (const { name, type, ttl, records } of rrsets.slice(0, 10))
        assertTaken(await zone.put(name, type, records, { ttl }), `GET → PUT of ${name}`)
      const exported = String((await zone.call('GET', '/export')).body)
      assertTaken(await importFile(zone, exported, '?mode=replace'), 'export → import')
      assert.equal(await zone.version(), version, 'nothing of that changes the zone')
      assertTaken(await zone.call('PUT', '/rrsets', { body: { rrsets: [] } }), 'emptying')
      const dry = await importFile(zone, exported, '?dry_run=true')
      assert.deepEqual(dry.body.errors, [])
      assert.deepEqual(
        dry.body.warnings.filter(({ code }: { code: string }) => code === 'unescaped_name'),
        [],
      )
      assertTaken(await importFile(zone, exported), 'export → import of an empty zone')
      assert.deepEqual(await ownRrsets(zone), rrsets)
      for (const { name, type } of rrsets.slice(0, 10))
        assert.equal((await zone.call('DELETE', `/rrsets/${encodeURIComponent(name)}/${type}`)).status, 204, name)
      assertTaken(await zone.call('POST', `/versions/${version}/restore`), 'restoring')
      assert.deepEqual(await ownRrsets(zone), rrsets)
    }),
    { numRuns: 6, endOnFailure: true },
  )
})

/** A name with every byte of its labels as `\DDD`, which every program reads as a name. */
function escapedWhole(name: DomainName): string {
  const wire = nameToWire(name)
  const labels: string[] = []
  for (let at = 0; wire[at] !== 0; at += (wire[at] ?? 0) + 1)
    labels.push(
      [...wire.subarray(at + 1, at + 1 + (wire[at] ?? 0))].map((byte) => `\\${String(byte).padStart(3, '0')}`).join(''),
    )
  return `${labels.join('.')}.`
}
