import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Command, type Response, readMessage, writeMessage } from './index.ts'
import { bytesOf, readXml } from './reader.test.ts'

const write = (command: Command): string => writeMessage({ kind: 'command', command })
const create = { name: 'example.test', contacts: [], authInfo: '2fooBAR!' }
const domainCreate = (change: object): Command => ({
  kind: 'domain:create',
  body: { ...create, ...change },
  extensions: {},
})

const domainUpdate = { kind: 'domain:update', body: { name: 'example.test' } } as const
const ds = { keyTag: 1, algorithm: 13, digestType: 2, digest: 'AB' }
const key = { flags: 257, protocol: 3, algorithm: 13, publicKey: 'AQPA' }

test('a value that the schemas do not allow is not sent', () => {
  const refused: Command[] = [
    domainCreate({ name: '' }),
    domainCreate({ name: 'x'.repeat(256) }),
    domainCreate({ registrant: 'ab' }),
    domainCreate({ registrant: 'c'.repeat(17) }),
    domainCreate({ authInfo: 'two\nlines' }),
    domainCreate({ period: { unit: 'y', length: 0 } }),
    domainCreate({ period: { unit: 'y', length: 1.5 } }),
    domainCreate({ nameservers: { form: 'objects', hosts: [] } }),
    domainCreate({ nameservers: { form: 'attributes', hosts: [] } }),
    {
      ...domainUpdate,
      body: { name: 'example.test', add: { contacts: [], statuses: Array(12).fill('clientHold') } },
      extensions: {},
    },
    { kind: 'domain:check', body: { ids: [] }, extensions: {} },
    { kind: 'logout', body: null, extensions: {}, clTrid: 'ab' },
    { kind: 'logout', body: null, extensions: {}, clTrid: 'double  space' },
    { ...domainCreate({}), extensions: { 'fee:create': { fees: [{ amount: '-1' }], credits: [] } } },
    {
      ...domainCreate({}),
      extensions: { 'fee:create': { fees: [{ amount: '1' }, { amount: '-0.01' }], credits: [] } },
    },
    { ...domainCreate({}), extensions: { 'fee:create': { fees: [{ amount: '1' }], credits: [{ amount: '2' }] } } },
    { ...domainCreate({}), extensions: { 'fee:create': { fees: [], credits: [{ amount: '-1' }] } } },
    { ...domainCreate({}), extensions: { 'fee:create': { fees: [{ amount: '1,50' }], credits: [] } } },
    { ...domainCreate({}), extensions: { 'fee:create': { currency: 'ngn', fees: [{ amount: '1' }], credits: [] } } },
    { ...domainCreate({}), extensions: { 'secDNS:create': { ds: [], keys: [] } } },
    { ...domainCreate({}), extensions: { 'secDNS:create': { ds: [ds], keys: [key] } } },
    ...[
      { all: true, ds: [ds], keys: [] },
      { all: false, ds: [ds], keys: [key] },
      { all: false, ds: [], keys: [] },
    ].map((remove): Command => ({ ...domainUpdate, extensions: { 'secDNS:update': { isUrgent: false, remove } } })),
  ]
  for (const command of refused) assert.throws(() => write(command), { code: 'bad_value' }, JSON.stringify(command))
})

test('a response is sent only with one of the codes of RFC 5730', () => {
  const answer = (code: number): string =>
    writeMessage({
      kind: 'response',
      response: {
        results: [{ code, message: { text: 'done' }, reasons: [] }],
        data: {},
        extensions: {},
        transaction: { svTrid: 'SV-1' },
      },
    })
  for (const code of [1000, 1001, 1301, 1500, 2000, 2308, 2502]) assert.equal(read(answer(code)).results[0].code, code)
  for (const code of [999, 1002, 1302, 2006, 2503, 3000])
    assert.throws(() => answer(code), { code: 'bad_value' }, String(code))
})

test('a refused value is never quoted: it may be a password', () => {
  const services = { objects: ['urn:x'] }
  const body = {
    registrarId: 'zonewright',
    password: 'seventeen-letters',
    options: { version: '1.0', language: 'en' },
    services,
  }
  assert.throws(
    () => write({ kind: 'login', body, extensions: {} }),
    (error: Error) => !error.message.includes('seventeen') && error.message.includes('6 to 16'),
  )
})

const infData = (inside: string): string => `<?xml version="1.0"?>
  <e:epp xmlns:e="urn:ietf:params:xml:ns:epp-1.0" xmlns:d="urn:ietf:params:xml:ns:domain-1.0">
    <e:response>
      <e:result code="1000"><e:msg lang="fr">  Commande
        terminée </e:msg></e:result>
      <e:resData><d:infData>${inside}</d:infData><x xmlns="urn:example:own"/></e:resData>
      <e:extension><x xmlns="urn:example:own"><d:name>no.test</d:name></x></e:extension>
      <e:trID><e:svTRID> SV-1 </e:svTRID></e:trID>
    </e:response>
  </e:epp>`
test('a message whose data cannot be read can still be acknowledged; any other such response is refused', () => {
  const waiting = infData('<d:name>example.test</d:name>').replace(
    '<e:resData>',
    '<e:msgQ count="2" id="77"><e:msg>Renewed</e:msg></e:msgQ><e:resData>',
  )
  const { queue, data, unread, transaction } = read(waiting.replace('"1000"', '"1301"'))
  assert.deepEqual([queue, data, transaction.svTrid], [{ count: 2, id: '77', text: 'Renewed' }, {}, 'SV-1'])
  assert.match(unread ?? '', /roid/)
  assert.throws(() => read(waiting), { code: 'bad_message' })
  assert.throws(() => read(infData('').replace('"1000"', '"1301"')), { code: 'bad_message' })
})

const read = (text: string): Response => {
  const message = readMessage(readXml(bytesOf(text)))
  assert.equal(message.kind, 'response')
  return (message as Extract<typeof message, { kind: 'response' }>).response
}

test("responses of other servers are read: other prefixes, indentation, order, offsets, and a registry's own words and elements", () => {
  const response = read(
    infData(`
      <d:clID>rival</d:clID><d:roid> D1-TEST </d:roid>
      <d:name>Example.TEST</d:name>
      <d:status s="ok"/><d:status s="reservedByRegistry">why</d:status>
      <d:crDate>2026-01-02T03:04:05.678901+01:00</d:crDate>
      <d:exDate>2027-01-02T03:04:05</d:exDate>
      <d:ns/>`),
  )
  assert.deepEqual(response.data['domain:infData'], {
    name: 'Example.TEST',
    roid: 'D1-TEST',
    clId: 'rival',
    statuses: ['ok', 'reservedByRegistry'],
    contacts: [],
    hosts: [],
    crDate: new Date('2026-01-02T02:04:05.678Z'),
    exDate: new Date('2027-01-02T03:04:05Z'),
  })
  assert.deepEqual(response.extensions, {})
  assert.equal(response.transaction.svTrid, 'SV-1')
})

test('a response that lacks a required part or has an invalid value is refused', () => {
  const whole = '<d:name>a.test</d:name><d:roid>D1-TEST</d:roid><d:clID>rival</d:clID>'
  assert.equal(read(infData(whole)).data['domain:infData']?.name, 'a.test')
  for (const broken of [
    infData('<d:name>a.test</d:name><d:roid>D1-TEST</d:roid>'),
    infData(`${whole}<d:crDate>yesterday</d:crDate>`),
    infData(`${whole}<d:crDate>2026-13-01T00:00:00Z</d:crDate>`),
    infData(whole).replace(' code="1000"', ''),
    infData(whole).replace('code="1000"', 'code="ok"'),
    infData(whole).replace(/<e:result.*<\/e:result>/s, ''),
    infData(whole).replace(/<e:trID>.*<\/e:trID>/s, ''),
    infData(whole).replaceAll('urn:ietf:params:xml:ns:epp-1.0', 'urn:ietf:params:xml:ns:epp-2.0'),
    infData(whole).replaceAll('e:response', 'e:reply'),
  ])
    assert.throws(() => read(broken), { code: 'bad_message' }, broken)
})

test('a response with a fee below zero is refused, and one with a credit or a debt is read', () => {
  const charged = (fee: string, credit: string, balance: string) =>
    infData('<d:name>a.test</d:name><d:roid>D1-TEST</d:roid><d:clID>rival</d:clID>').replace(
      /<e:extension>.*<\/e:extension>/s,
      `<e:extension><f:renData xmlns:f="urn:ietf:params:xml:ns:epp:fee-1.0"><f:currency>NGN</f:currency>
        <f:fee>${fee}</f:fee><f:fee>1.00</f:fee><f:credit>${credit}</f:credit><f:balance>${balance}</f:balance>
      </f:renData></e:extension>`,
    )
  for (const [fee, credit, balance] of [
    ['5.00', '-3.00', '-12.50'],
    ['0', '0', '0'],
    ['0.00', '-0.01', '999.99'],
  ] as const)
    assert.deepEqual(read(charged(fee, credit, balance)).extensions['fee:renData'], {
      currency: 'NGN',
      fees: [{ amount: fee }, { amount: '1.00' }],
      credits: [{ amount: credit }],
      balance,
    })
  for (const fee of ['-5.00', '-0.01', ' -1 ', '-.5', '-0', '', 'free', '1,50'])
    assert.throws(() => read(charged(fee, '-3.00', '0')), { code: 'bad_message' }, fee)
})

test('an unknown command is refused', () => {
  const text = write(domainCreate({}))
  const unknown = [
    text.replaceAll('domain:create', 'domain:destroy').replaceAll(/(<\/?)create>/g, '$1destroy>'),
    text.replaceAll(/(<\/?)create>/g, '$1info>'),
    text.replace('domain-1.0', 'domain-2.0'),
    '<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><command/></epp>',
    '<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><hello/><hello/></epp>',
  ]
  for (const each of unknown) assert.throws(() => readMessage(readXml(bytesOf(each))), { code: 'bad_message' }, each)
})
