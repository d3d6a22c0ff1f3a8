// Names that people choose and others read. All of them follow the same rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '#modules/accounts/index.ts'
import { createKey } from '#modules/api-keys/index.ts'
import { keyExpiring } from '#modules/mail/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi, type TestAnswer, testOrigin, testReceiver } from './test-api.ts'
import { testContact } from './test-contact.ts'
import { TestPerson } from './test-person.ts'

const api = await startTestApi()
const { database } = api
const { db } = database
const operator = actorNamed('operator', 'test')
const person = await TestPerson.secured(api, 'owner@example.net')
const accountId: string = (await person.call('GET', '/account')).body.id

const controls = ['\u202e', '\u0007', '\n', '\u001b', '\u007f', '\u009b', '\u2028', '\u200f', '\u2066', '\u061c']
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Asserts that no value of an answer has a control or bidirectional character, and that the answer contains the escaped name. */
function assertShown(answer: TestAnswer, shown: string): void {
  const values: string[] = []
  JSON.parse(JSON.stringify(answer.body), (_, value) => {
    if (typeof value === 'string') values.push(value)
    return value
  })
  for (const value of values) assert.doesNotMatch(value, unseen)
  assert.ok(
    values.some((value) => value.includes(shown)),
    `${shown} in ${JSON.stringify(answer.body)}`,
  )
}

/** Each way to enter a name, with the path and code of its fault. */
const ways: Readonly<Record<string, { give: (name: string) => Promise<TestAnswer>; fault: string }>> = {
  'a key': {
    give: (name) =>
      person.call('POST', '/api-keys', {
        body: { name, zones: 'all', permissions: ['records:read'], expires_in: 'never', code: person.backupCodes[0] },
      }),
    fault: '/name bad_character',
  },
  'an account': { give: (name) => person.call('PATCH', '/account', { body: { name } }), fault: '/name bad_character' },
  'the description of an endpoint': {
    give: (description) => person.call('POST', '/webhooks', { body: { url: testReceiver, description } }),
    fault: '/description bad_character',
  },
  'the URL of an endpoint': {
    give: (name) => person.call('POST', '/webhooks', { body: { url: `${testReceiver}/${name}` } }),
    fault: '/url bad_character',
  },
  'the name of a contact': {
    give: (name) => person.call('POST', '/contacts', { body: { ...testContact, name } }),
    fault: '/name bad_character',
  },
  'the city of a contact': {
    give: (city) => person.call('POST', '/contacts', { body: { ...testContact, city } }),
    fault: '/city bad_character',
  },
  'an extra field of a contact': {
    give: (field) => person.call('POST', '/contacts', { body: { ...testContact, extra: { field } } }),
    fault: '/extra/field bad_character',
  },
}

for (const [what, { give, fault }] of Object.entries(ways))
  test(`rejects control and bidirectional characters in ${what}, and the fault names the first one`, async () => {
    for (const character of controls) {
      const { status, body } = await give(`dep${character}loy`)
      assert.equal(status, 422, JSON.stringify(character))
      const [detail] = body.error.details
      assert.equal(`${detail.path} ${detail.code}`, fault)
      const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
      assert.match(detail.message, new RegExp(`^Remove the character U\\+${code} at position \\d+: `))
    }
    assert.ok((await give('نشر-développé-👩‍💻')).status < 300, 'letters of all scripts, joiners and emoji are taken')
  })

test('rejects such a name at sign-up, and the link still works afterwards', async () => {
  const newcomer = new TestPerson(api, 'newcomer@example.net')
  await newcomer.auth('POST', '/sign-up/email', { email: newcomer.email })
  const token = newcomer.signUpToken()
  for (const character of controls) {
    const { status } = await newcomer.createAccount(token, { name: `A${character}da` })
    assert.equal(status, 400, JSON.stringify(character))
  }
  assert.equal((await newcomer.createAccount(token, { name: 'عائشة' })).status, 200)
})

test('also rejects such names from operators', async () => {
  for (const character of controls)
    await database.transact(async (tx) => {
      const refused = { code: 'validation_failed', message: /^Remove the character U\+/ }
      const wish = { zones: 'all', permissions: ['records:read'], expiresIn: 'never' } as const
      await assert.rejects(createKey(tx, operator, accountId, { name: `a${character}b`, ...wish }), refused)
      await assert.rejects(createAccount(tx, operator, { email: 'a@example.net', name: `a${character}b` }), refused)
      for (const email of [`a${character}b@example.net`, `ab@exam${character}ple.net`])
        await assert.rejects(createAccount(tx, operator, { email, name: '' }), { code: 'validation_failed' }, email)
    })
})

for (const character of controls) {
  const name = `evil${character}name`
  const shown = `evil\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}name`

  test(`existing names with ${shown.slice(4, -4)} are shown escaped`, async () => {
    const zone = await api.zone(accountId, `zone-${shown.slice(6, 10)}.example.com`)
    const key = await api.key(accountId, { name: `plain ${shown.slice(6, 10)}` })
    await sql`update api_keys set name = ${name} where name = ${`plain ${shown.slice(6, 10)}`}`.execute(db)
    await sql`update accounts set name = ${name} where id = ${accountId}`.execute(db)
    const endpoint = await person.call('POST', '/webhooks', { body: { url: testReceiver } })
    await sql`
      update webhook_endpoints set description = ${name}, url = url || ${name} where id = ${endpoint.body.id}`.execute(
      db,
    )
    const contact = await person.call('POST', '/contacts', { body: testContact })
    await sql`
      update contacts set name = ${name}, extra = ${JSON.stringify({ field: name })}::jsonb where id = ${contact.body.id}`.execute(
      db,
    )
    await api.call('PUT', `/zones/${zone.name}/rrsets/www/A`, { key, body: { records: ['192.0.2.1'] } })

    assertShown(await person.call('GET', '/account'), shown)
    assertShown(await person.auth('GET', '/get-session'), shown)
    assertShown(await person.call('GET', '/api-keys'), shown)
    assertShown(await api.call('GET', '/api-keys/current', { key }), shown)
    assertShown(await person.call('GET', `/zones/${zone.name}/versions`), shown)
    assertShown(await person.call('GET', `/zones/${zone.name}/versions/1`), shown)
    assertShown(await person.call('GET', `/audit-log?zone=${zone.name}`), shown)
    const table = await person.call('GET', `/audit-log?zone=${zone.name}`, { headers: { accept: 'text/csv' } })
    for (const line of String(table.body).split('\r\n')) assert.doesNotMatch(line, unseen)
    assert.ok(String(table.body).includes(shown))
    assertShown(await person.call('GET', `/webhooks/${endpoint.body.id}`), shown)
    assertShown(await person.call('GET', '/webhooks'), shown)
    assertShown(await person.call('GET', `/contacts/${contact.body.id}`), shown)
    assert.equal((await person.call('GET', `/contacts/${contact.body.id}`)).body.extra.field, shown)
    await person.call('DELETE', `/webhooks/${endpoint.body.id}`)

    const { rows } = await sql<{ id: string }>`select id from api_keys where name = ${name}`.execute(db)
    assert.equal((await person.call('DELETE', `/api-keys/${rows[0]?.id}`)).status, 204)
    const revoked = await person.call('GET', '/audit-log?action=key.revoked&limit=1')
    assertShown(revoked, 'evil')

    const mail = keyExpiring({ site: testOrigin, key: { name, hint: 'x9Yz', expiresAt: new Date() }, days: 3 })
    for (const part of [mail.subject, mail.text, mail.html]) assert.ok(part.includes(shown), part)
  })
}
