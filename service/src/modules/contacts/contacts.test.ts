import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'
import { testContact } from '#testing/test-contact.ts'
import { codeOf, faultsOf } from '#testing/test-zones.ts'
import { registryContact } from './registry-contact.ts'
import { type ContactDetails, checkContact, faultsAtRegistry, faultsForTld } from './rules.ts'

const api = await startTestApi()
const account = await api.account('buyer@example.net')
const key = await api.key(account, { name: 'shop' })
const other = await api.key(await api.account('other@example.net'))
const { postal_code: postalCode, ...rest } = testContact
const details: ContactDetails = { ...rest, postalCode, address2: '' }
const create = (change: object = {}) => api.call('POST', '/contacts', { key, body: { ...testContact, ...change } })

test('a contact is normalized: E.164 phone without spaces, upper-case country, postal code with single spaces', async () => {
  const made = await create({ phone: '+234 803 123 4567', country: 'ng', postal_code: ' AB1  2CD' })
  assert.equal(made.status, 201)
  const { phone, country, address2, postal_code: postalCode } = made.body
  assert.deepEqual([phone, country, address2, postalCode], ['+2348031234567', 'NG', '', 'AB1 2CD'])
  assert.equal(made.headers.location, `/api/v1/contacts/${made.body.id}`)
  assert.deepEqual((await api.call('GET', `/contacts/${made.body.id}`, { key })).body, made.body)
})

test('all errors are reported at once', async () => {
  const answer = await create({ phone: '0803 123 4567', country: 'XX', email: 'ada@', name: 'a\nb' })
  assert.deepEqual(codeOf(answer), [422, 'contact_invalid'])
  assert.deepEqual(faultsOf(answer).sort(), [
    'bad_character /name',
    'bad_country /country',
    'bad_email /email',
    'bad_phone /phone',
  ])
  for (const phone of ['+1555', '+234803123456789', '+999123456789', 'call me'])
    assert.deepEqual(codeOf(await create({ phone })), [422, 'contact_invalid'], phone)
})

test('a phone extension is kept and sent to the registry as an extension', async () => {
  for (const [given, kept, number, extension] of [
    ['+1 212 555 0100 ext. 12', '+12125550100;ext=12', '+1.2125550100', '12'],
    ['+1 (212) 555-0100 x1234', '+12125550100;ext=1234', '+1.2125550100', '1234'],
    ['+234 803 123 4567 extension 7', '+2348031234567;ext=7', '+234.8031234567', '7'],
    ['+12125550100;ext=0042', '+12125550100;ext=0042', '+1.2125550100', '0042'],
    ['+49 30 901820 #5', '+4930901820;ext=5', '+49.30901820', '5'],
    ['+39 06 6982', '+39066982', '+39.066982', ''],
  ] as const) {
    const made = await create({ phone: given })
    assert.equal(made.body.phone, kept, given)
    const { id } = made.body
    const again = await api.call('PATCH', `/contacts/${id}`, { key, body: { phone: kept } })
    assert.equal(again.body.phone, kept, 'what was read can be written')
    const { phone, phoneExtension } = registryContact('c', { ...checkContact({ ...details, phone: given }).details })
    assert.deepEqual([phone, phoneExtension], [number, extension], given)
  }
})

test('a number without + is read as a national number of the contact’s country', async () => {
  for (const [given, country, kept] of [
    ['0803 123 4567', 'NG', '+2348031234567'],
    ['(0803) 123-4567', 'ng', '+2348031234567'],
    ['8031234567', 'NG', '+2348031234567'],
    ['020 7946 0958 ext. 12', 'GB', '+442079460958;ext=12'],
    ['(212) 555-0100', 'US', '+12125550100'],
    ['+44 20 7946 0958', 'NG', '+442079460958'],
  ] as const) {
    const made = await create({ phone: given, country })
    assert.deepEqual([made.status, made.body.phone], [201, kept], given)
  }
  for (const [phone, country, message] of [
    ['0803 123', 'NG', /not a valid phone number in Nigeria\. Write it as people dial it there, or with \+/],
    ['+234 803 123', 'NG', /not a valid phone number\. Write it with \+ and the country code/],
    ['0803 123 4567', 'XX', /not a valid phone number\. Write it with \+ and the country code/],
    ['0803 123 4567', 'AQ', /Write it/],
  ] as const) {
    const { body } = await create({ phone, country })
    const fault = body.error.details.find(({ path }: { path: string }) => path === '/phone')
    assert.match(fault?.message ?? '', message, `${phone} ${country}`)
  }
  const { id } = (await create()).body
  const changed = await api.call('PATCH', `/contacts/${id}`, { key, body: { phone: '0803 765 4321' } })
  assert.equal(changed.body.phone, '+2348037654321')
})

test('a phone number followed by other text is rejected', async () => {
  for (const phone of [
    '+1 212 555 0100 call me',
    '+1 212 555 0100 ext',
    '+1 212 555 0100 ext twelve',
    '+12125550100;isub=5',
    '+12125550100;ext=12;isub=4',
    '+234 803 123 4567 or +234 803 123 4568',
    'tel:+12125550100',
    '+12125550100 12',
  ])
    assert.deepEqual(faultsOf(await create({ phone })), ['bad_phone /phone'], phone)
})

test('an email address is stored with its domain in A-labels, and its local part must be ASCII', async () => {
  for (const [given, kept] of [
    ['Ada@Bücher.Example', 'Ada@xn--bcher-kva.example'],
    ['ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
    ["o'brien+x@example.net", "o'brien+x@example.net"],
    ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    [`${'x'.repeat(64)}@example.net`, `${'x'.repeat(64)}@example.net`],
  ] as const)
    assert.equal((await create({ email: given })).body.email, kept, given)
  for (const [email, why] of [
    ['ädä@example.net', /ASCII/],
    ['用户@example.net', /ASCII/],
    [`${'x'.repeat(65)}@example.net`, /At most 64/],
    ['a b@example.net', /Spaces/],
    ['ada@example', /not a domain name/],
    ['ada@1.2.3.4', /not a domain name/],
    ['ada..obi@example.net', /consecutive dots/],
  ] as const) {
    const answer = await create({ email })
    assert.deepEqual(faultsOf(answer), ['bad_email /email'], email)
    assert.match(answer.body.error.details[0].message, why)
  }
})

test('a change is validated like a new contact, and fields that it omits keep their values', async () => {
  const { id } = (await create()).body
  const changed = await api.call('PATCH', `/contacts/${id}`, { key, body: { city: 'Ibadan' } })
  assert.deepEqual(
    [changed.body.city, changed.body.organization, changed.body.extra],
    ['Ibadan', 'Obi Stores', testContact.extra],
  )
  const refused = await api.call('PATCH', `/contacts/${id}`, { key, body: { country: 'QQ' } })
  assert.deepEqual(codeOf(refused), [422, 'contact_invalid'])
  assert.equal((await api.call('GET', `/contacts/${id}`, { key })).body.country, 'NG')
})

test('someone else’s contact looks the same as one that does not exist', async () => {
  const { id } = (await create()).body
  for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
    assert.deepEqual(codeOf(await api.call(method, `/contacts/${id}`, { key: other, ...(body && { body }) })), [
      404,
      'not_found',
    ])
})

test('a deleted contact is gone, and the audit log has its creation and deletion under the key’s name', async () => {
  const { id } = (await create()).body
  assert.equal((await api.call('DELETE', `/contacts/${id}`, { key })).status, 204)
  assert.equal((await api.call('DELETE', `/contacts/${id}`, { key })).status, 404)
  const { body } = await api.call('GET', '/contacts?limit=200', { key })
  assert.ok(!body.data.some((contact: { id: string }) => contact.id === id))
  const { rows } = await sql<{ action: string; name: string }>`
    select action, actor_name as name from audit_log where reference ->> 'contact' = ${id} order by id`.execute(
    api.database.db,
  )
  assert.deepEqual(rows, [
    { action: 'contact.created', name: 'shop' },
    { action: 'contact.deleted', name: 'shop' },
  ])
})

test('a TLD’s additional fields must match in full, must be present if required, and may be omitted if optional', () => {
  const fields = [
    { name: 'type', label: 'Type', required: true, pattern: null, values: ['person', 'company'] },
    { name: 'number', label: 'Number', required: false, pattern: 'RC[0-9]{4}', values: null },
  ]
  const paths = (extra: Record<string, string>) => faultsForTld(extra, fields).map(({ path }) => path)
  assert.deepEqual(paths({}), ['/extra/type'])
  assert.deepEqual(paths({ type: 'ghost', number: 'xRC1234' }), ['/extra/type', '/extra/number'])
  assert.deepEqual(paths({ type: 'person', number: 'RC1234' }), [])
  assert.deepEqual(paths({ type: 'person' }), [])
  const stored = { email: 'ädä@example.net', extra: {} }
  assert.deepEqual(
    faultsAtRegistry(stored, fields).map(({ path }) => path),
    ['/email', '/extra/type'],
  )
  assert.deepEqual(faultsAtRegistry({ ...stored, email: 'ada@example.net' }, []), [])
})
