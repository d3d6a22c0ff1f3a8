import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { eventually, type Person, peopleForTests, testedDevices, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const zone = world.facts.zone.name

/** More changes than one page of the audit log shows. */
const manyChanges = 205
for (let i = 0; i < manyChanges; i++) await world.api.put(zone, 'audited', 'A', [`192.0.2.${i}`])

for (const device of testedDevices) {
  test(`a webhook endpoint is added for some events, viewed and deleted, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signIn()
    await person.open('/webhooks')
    await person.button('Add an endpoint').click()
    await person.field(/^URL/).fill('http://127.0.0.1/')
    await person.page.getByRole('radio', { name: 'Only these' }).click()
    await person.page.getByRole('checkbox', { name: 'zone.records_changed' }).check()
    person.expects(/status of 4\d\d/)
    await person.button('Add the endpoint').click()
    await person.page.getByRole('alert').waitFor()
    const isAtFault = (field: Element): boolean => field === document.activeElement && field.ariaInvalid === 'true'
    assert.ok(await person.field(/^URL/).evaluate(isAtFault))
    await person.check('webhooks-new')
    await person.field(/^URL/).fill(new URL(device, world.facts.receiver_url).href)
    await person.button('Add the endpoint').click()
    await person.heading(/^The secret of/).waitFor()
    await person.button('I have saved it').click()
    await person.page.getByText('On', { exact: true }).first().waitFor()
    await person.check('webhooks')
    await person.link(new RegExp(`/${device}$`)).click()
    await person.button('Send a test').click()
    await person.sees('The test arrived: your server answered 200.')
    await sendSample(person)
    await person.page.getByText(/^In the last 24 hours: 2 delivered/).waitFor({ timeout: 20_000 })
    await person.check('webhook')
    await lookAtDelivery(person)
    await pauseAndTurnOn(person)
    await seeFailing(person, device)
    await seeFailure(person, device)
    await seeCharts(person)
    await person.button('Edit').click()
    await person.field('Description').fill('Changed')
    await person.button('Add a header').click()
    await person.field('Header 1').fill('Host')
    await person.field('Value of header 1').fill('s3cret')
    await person.button('Save').click()
    await person.sees(/HTTP or the service sets "Host"/)
    await person.field('Header 1').fill('X-Env')
    await person.button('Save').click()
    await person.page.getByText('Changed', { exact: true }).waitFor()
    await person.sees('Your headers: X-Env')
    await limitToLostZone(person, device)
    await person.breadcrumb('Webhooks').click()
    await person.page.getByText('Changed', { exact: true }).waitFor()
    await person.link(new RegExp(`/${device}$`)).click()
    await person.button('Resend missed deliveries').click()
    await person.sees('Nothing failed or was skipped since then.')
    await person.button('Rotate secret').click()
    await person.heading(/^The secret of/).waitFor()
    const secret = /whsec_\S+/.exec(await person.page.locator('main').innerText())?.[0] ?? ''
    assert.notEqual(secret, '')
    await person.button('I have saved it').click()
    assert.ok(!(await person.page.content()).includes(secret), 'the secret is gone from the page')
    await person.button('Delete this endpoint').click()
    await person.page.getByRole('dialog').getByRole('button', { name: 'Delete the endpoint' }).click()
    await person.heading('Webhooks').waitFor()
    await person.seesNot(person.link(new RegExp(`/${device}$`)))
    person.assertQuiet()
    await person.page.context().close()
  })

  test(`the audit log is filtered by zone, and downloaded, on a ${device}`, async () => {
    await world.api.put(zone, `audit-${device}`, 'A', ['192.0.2.1'])
    const person = await personAt(device)
    await person.signIn()
    await person.link(zone).waitFor()
    await person.open('/audit-log')
    await person.field('Zone or domain').fill(zone)
    await person.page.getByRole('row').nth(1).getByText(zone).first().waitFor()
    await person.page.getByText(`(API key of ${world.facts.account.email})`).first().waitFor()
    const address = person.page.getByRole('row').nth(1).getByRole('cell').last()
    assert.ok(await address.evaluate((one) => one.getBoundingClientRect().right <= innerWidth), 'the row is in view')
    await person.check('audit-log')
    const downloading = person.page.waitForEvent('download')
    await person.button('Export CSV').click()
    const file = await downloading
    assert.equal(file.suggestedFilename(), 'audit-log.csv')
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
    assert.ok(lines.filter((line) => line.includes(zone)).length >= manyChanges, `${lines.length} lines`)
    assert.equal(lines.filter((line) => line.startsWith('at,')).length, 1)
    await person.field('Zone or domain').fill(zone.slice(1, -2).toUpperCase())
    await person.field('Actor').fill(world.facts.account.email.slice(0, 6))
    await person.field('Action').fill('records.ch')
    await person.page.getByRole('row').nth(1).getByText('records.changed').waitFor()
    await person.field('Action').fill('records_ch')
    await person.sees('No change matches these filters.')
    await person.field('Action').fill('nobody.does.this')
    await person.sees('No change matches these filters.')
    person.assertQuiet()
    await person.page.context().close()
  })
}

test('entries of the audit log lead to the version, key, endpoint and zone that they are about', async () => {
  const named = 'links.example.org'
  await world.admin('zone', 'add', world.facts.account.email, named)
  await world.api.put(named, 'linked', 'A', ['192.0.2.1'])
  await world.api.put(named, 'linked', 'A', ['192.0.2.2'])
  const url = new URL('linked', world.facts.receiver_url).href
  assert.equal((await world.api.call('POST', '/webhooks', { url })).status, 201)
  const person = await personAt('desktop')
  await person.signIn()

  await person.open(`/audit-log?zone=${named}`)
  await person.check('audit-links')
  await person.link(/^linked\S* A was created$/).click()
  await person.sees(/version 1$/)
  await person.page.getByRole('list', { name: 'Changes' }).getByText('192.0.2.1').waitFor()
  await person.seesNot(person.page.getByText(/version 2$/))
  await person.check('history-version')
  await person.link('Show all versions').click()
  await person.sees(/version 2$/)

  await person.open(`/audit-log?zone=${named}&action=zone.added`)
  await person.page.getByRole('row').nth(1).getByRole('link').click()
  await person.heading(named).waitFor()

  await person.open('/audit-log?action=webhook.created')
  await person.page.getByRole('row').nth(1).getByRole('link').click()
  await person.heading('Webhook endpoint').waitFor()
  await person.sees(url)

  await person.open('/audit-log?action=key.created')
  await person.page.getByRole('row').nth(1).getByRole('link').click()
  await person.sees('Only one key is shown.')
  assert.equal(await person.page.getByRole('list', { name: 'Keys' }).getByRole('listitem').count(), 1)
  await person.check('one-key')
  await person.link('Show all keys').click()
  await person.seesNot(person.page.getByText('Only one key is shown.'))

  person.expects(/status of 404/)
  await person.open(`/zones/${named}/history?version=99`)
  await person.sees('This zone has no such version.')
  person.assertQuiet()
  await person.page.context().close()
})

test('the state of a page belongs to one object: the next endpoint does not show the previous one’s secret', async () => {
  const urls = ['first', 'second'].map((name) => new URL(name, world.facts.receiver_url).href)
  for (const url of urls) assert.equal((await world.api.call('POST', '/webhooks', { url })).status, 201)
  const person = await personAt('desktop')
  await person.signIn()
  await person.open('/webhooks')
  await person.link(/\/first$/).click()
  await person.breadcrumb('Webhooks').click()
  await person.link(/\/second$/).click()
  await person.button('Rotate secret').click()
  await person.heading(/^The secret of/).waitFor()
  // Like a long press of Back: the list between the two pages is not shown.
  await person.page.evaluate(() => history.go(-2))
  await person.sees(/\/first$/)
  await person.seesNot(person.heading(/^The secret of/))
  person.assertQuiet()
  await person.page.context().close()
})

test('if the browser’s language tag is invalid, the page of an endpoint has a table in place of the charts', async () => {
  const url = new URL('posix', world.facts.receiver_url).href
  const { id } = (await world.api.call<{ id: string }>('POST', '/webhooks', { url })).body
  assert.equal((await world.api.call('POST', `/webhooks/${id}/test`)).status, 200)
  const person = await personAt('desktop')
  // The language of Chromium without a locale.
  await person.page.addInitScript(() => Object.defineProperty(navigator, 'language', { value: 'en-US@posix' }))
  await person.signIn()
  await person.open(`/webhooks/${id}`)
  await person.sees('The charts could not be loaded. The table has the same numbers.')
  await person.page.getByRole('region', { name: 'Requests per hour' }).getByRole('row').nth(1).waitFor()
  await person.link(/^ping, /).waitFor()
  await person.seesNot(person.button('Show as charts'))
  person.assertQuiet()
  await person.page.context().close()
})

/** Sends a sample of a chosen type: its row is marked as a test and names the sample's zone, and its body is shown. */
async function sendSample(person: Person): Promise<void> {
  await person.page.getByRole('combobox', { name: 'Event type' }).click()
  await person.page.getByRole('option', { name: 'zone.records_changed' }).click()
  await person.button('Send a test').click()
  const delivery = person.link(/^zone.records_changed, /).first()
  await delivery.waitFor()
  await person.sees(/^sample\.zonewright\.invalid · .* · 1 attempt$/)
  await delivery.click()
  await person.heading('Delivery of zone.records_changed').waitFor()
  await person.page.getByText('Test', { exact: true }).waitFor()
  const body = person.page.getByRole('region', { name: 'Body', exact: true })
  const pretty = await body.innerText()
  assert.equal(JSON.parse(pretty).data.zone.name, 'sample.zonewright.invalid')
  await person.page.getByText('Raw', { exact: true }).click()
  await eventually('the payload as it was sent', async () => (await body.innerText()) !== pretty)
  assert.deepEqual(JSON.parse(await body.innerText()), JSON.parse(pretty))
  await person.page.waitForURL(/body=raw$/)
  await person.button('Copy as curl').click()
  const command = await person.page.evaluate(() => navigator.clipboard.readText())
  assert.match(command, /^curl --globoff 'https:\/\/.*--data-raw '\{"id":"evt_/s)
  await backToEndpoint(person)
}

/** Returns from the page of a delivery. */
async function backToEndpoint(person: Person): Promise<void> {
  await person.page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').nth(1).click()
  await person.heading('Webhook endpoint').waitFor()
}

/** A paused endpoint says so. When it is turned on again, it offers what it missed. */
async function pauseAndTurnOn(person: Person): Promise<void> {
  const endpoint = /whe_[0-9a-f]+/.exec(person.page.url())?.[0] ?? ''
  await person.button('Pause').click()
  await person.sees('This endpoint is paused')
  await person.check('webhook-paused')
  await world.api.put(zone, `missed-${endpoint.slice(-6)}`, 'A', ['192.0.2.1'])
  await eventually('the delivery is skipped', async () => {
    const { body } = await world.api.call<{ data: unknown[] }>('GET', `/webhooks/${endpoint}/deliveries?status=skipped`)
    return body.data.length === 1
  })
  await person.button('Turn it on again').click()
  await person.sees('This endpoint is on again')
  await person.button('Resend missed events').click()
  await person.sees('1 delivery is being resent.')
}

/** A delivery whose attempt failed is failing, also on a page that is already open, and the filter finds it. */
async function seeFailing(person: Person, receiver: string): Promise<void> {
  const endpoint = /whe_[0-9a-f]+/.exec(person.page.url())?.[0] ?? ''
  await world.received.behave({ status: 503 }, receiver)
  await world.api.put(zone, `failing-${endpoint.slice(-6)}`, 'A', ['192.0.2.1'])
  const failing = person.page.getByText(/^Failing: retry 2 of 8 in/)
  await failing.first().waitFor()
  await eventually('the endpoint and its delivery are failing', async () => (await failing.count()) === 2)
  // The list of choices closes if an attempt arrives and moves the page under it.
  await eventually('the outcome is chosen', async () => {
    await person.page.getByRole('combobox', { name: 'Outcome' }).click()
    await person.page.getByRole('option', { name: 'Failed or failing' }).click({ timeout: 2_000 })
    return true
  })
  await failing.nth(1).waitFor()
  await person.check('webhook-failing')
  await world.received.behave({}, receiver)
  const { body } = await world.api.call<{ data: { id: string }[] }>(
    'GET',
    `/webhooks/${endpoint}/deliveries?status=failing`,
  )
  assert.equal(body.data.length, 1)
  await world.api.call('POST', `/webhooks/${endpoint}/deliveries/${body.data[0]?.id}/redeliver`)
  await person.sees('No delivery matches these filters')
  await person.seesNot(failing)
  await person.button('Clear the filters').click()
  await person
    .link(/^zone.records_changed, /)
    .first()
    .waitFor()
  await person.field('Text in the payload').fill(`FAILING-${endpoint.slice(-6)}`)
  await eventually('one delivery', async () => (await person.link(/^[a-z.]+[a-z_], /).count()) === 1)
  await person.page.waitForURL(/q=FAILING-/)
  await person.button('Clear the filter').click()
}

/** A failed delivery says why in one sentence: in the outcome of the test, in the list and at the attempt. */
async function seeFailure(person: Person, receiver: string): Promise<void> {
  const sentence = 'The receiver answered with status 503 (Service Unavailable).'
  await world.received.behave({ status: 503 }, receiver)
  await person.button('Send a test').click()
  await person.sees(`The test failed. ${sentence}`)
  await person.page.getByRole('main').getByText(sentence, { exact: true }).waitFor()
  await person
    .link(/^[a-z.]+[a-z_], /)
    .first()
    .click()
  await person.page
    .getByRole('region', { name: 'Attempt 1', exact: true })
    .getByText(sentence, { exact: true })
    .waitFor()
  await person.check('webhook-failure')
  await backToEndpoint(person)
  await world.received.behave({}, receiver)
}

/** The charts say in words what they show, also in a table. */
async function seeCharts(person: Person): Promise<void> {
  await person.page.getByText('Week', { exact: true }).click()
  const chart = person.page.getByRole('img', { name: /^In the last 7 days: \d+ delivered, \d+ failed/ })
  await chart.locator('canvas').nth(1).waitFor()
  assert.doesNotMatch(await chart.innerText(), /–/)
  await person.check('webhook-charts')
  await person.button('Show as a table').click()
  await person.page.getByRole('region', { name: 'Requests per hour' }).getByRole('row').nth(1).waitFor()
  await person.button('Show as charts').click()
  await person.page.waitForURL(/chart=week/)
}

/** An endpoint whose zones are all gone says that it gets nothing. */
async function limitToLostZone(person: Person, device: string): Promise<void> {
  const lost = `lost-${device}.example.org`
  await world.admin('zone', 'add', world.facts.account.email, lost)
  const endpoint = /whe_[0-9a-f]+/.exec(person.page.url())?.[0] ?? ''
  await world.api.call('PATCH', `/webhooks/${endpoint}`, { zones: [lost] })
  await person.sees(new RegExp(`only ${lost}`))
  await world.admin('zone', 'delete', lost)
  await person.sees('This endpoint gets no events')
  await person.check('webhook-no-zones')
  await world.api.call('PATCH', `/webhooks/${endpoint}`, { zones: null })
  await person.seesNot(person.page.getByText('This endpoint gets no events'))
}

async function lookAtDelivery(person: Person): Promise<void> {
  await person
    .link(/^ping, /)
    .first()
    .click()
  await person.page.getByRole('region', { name: 'Attempt 1', exact: true }).waitFor()
  await person.page
    .getByText(/service-signature:/i)
    .first()
    .waitFor()
  await person.check('webhook-delivery')
  await person.button('Resend').click()
  await person.page.getByRole('region', { name: 'Attempt 2', exact: true }).waitFor()
  await backToEndpoint(person)
}
