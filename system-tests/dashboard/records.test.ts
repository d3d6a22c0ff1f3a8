import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxChangesPerRequest, maxImportBytes } from '@zonewright/contract'
import { type Person, peopleForTests, testedDevices, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const email = world.facts.account.email

const zone = 'records-desktop.example.org'

for (const device of testedDevices) {
  const zone = `records-${device}.example.org`

  test(`records of several types are added, edited and deleted in one reviewed change, on a ${device}`, async () => {
    await world.admin('zone', 'add', email, zone)
    await world.api.put(zone, 'old', 'A', ['192.0.2.1'])
    await world.api.put(zone, 'www', 'A', ['192.0.2.1'])
    const person = await personAt(device)
    await person.signIn()
    await person.open(`/zones/${zone}`)
    await add(person, 'mail', 'MX', { Priority: '10', 'Mail server': 'mx.example.net.' })
    await add(person, '', 'TXT', { Text: 'v=spf1 -all' })
    await add(person, '', 'CAA', { Value: 'letsencrypt.org' })
    await person.button('Edit www A').click()
    await person.field('IPv4 address').fill('192.0.2.2')
    await person.button('Another value').click()
    await person.field('IPv4 address, value 2').fill('192.0.2.3')
    await person.button('Add to changes').click()
    await person.button('Delete old A').click()
    await person.sees('5 unsaved changes')
    await person.check('records-edits')
    await person.page.reload()
    await person.sees('5 unsaved changes')
    await person.button('Review and save').click()
    await person.sees('TTL 3600')
    await person.button('Save all 5 changes').click()
    await person.sees('Saved. Live on ns1 and ns2.')
    const { body } = await world.api.call<{
      data: { name: string; type: string; records: string[]; managed: boolean }[]
    }>('GET', `/zones/${zone}/rrsets`)
    const mine = body.data
      .filter(({ managed }) => !managed)
      .map(({ name, type, records }) => [name, type, ...records].join(' '))
    assert.deepEqual(mine.sort(), [
      `mail.${zone} MX 10 mx.example.net.`,
      `${zone} CAA 0 issue "letsencrypt.org"`,
      `${zone} TXT "v=spf1 -all"`,
      `www.${zone} A 192.0.2.2 192.0.2.3`,
    ])
    await person.page.context().close()
  })
}

test('a name with a dot is absolute, the form and the row show it, and warnings stay visible after the save', async () => {
  const zone = 'final-dots.example.org'
  await world.admin('zone', 'add', email, zone)
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.button('Add records').click()
  const form = person.page.getByRole('form', { name: 'New records' })
  await form.getByLabel('Name', { exact: true }).fill('shop')
  await form.getByRole('combobox', { name: 'Type' }).fill('CNAME')
  await person.page.keyboard.press('Tab')
  await person.seesNot(person.button('Another value'))
  await form.getByLabel('Target', { exact: true }).fill('shops.myshopify.com')
  await person.sees('→ shops.myshopify.com.')
  await person.button('Add to changes').click()
  await person.button('Edit shop CNAME').waitFor()
  await person.page.getByTitle('shops.myshopify.com.').waitFor()
  await add(person, '', 'MX', { Priority: '10', 'Mail server': 'mail' })
  await person.page.getByTitle(`10 mail.${zone}.`).waitFor()
  const warning = `${zone} MX points to mail.${zone}, which has no A or AAAA record.`
  await person.button('Review and save').click()
  await person.sees(warning)
  await person.button('Save all 2 changes').click()
  await person.sees('Saved, with warnings')
  await person.sees(warning)
  await person.check('records-warnings')
  const { body } = await world.api.call<{ records: string[] }>('GET', `/zones/${zone}/rrsets/shop/CNAME`)
  assert.deepEqual(body.records, ['shops.myshopify.com.'])
  await person.button('Close the warnings').click()
  await person.seesNot(person.page.getByText('Saved, with warnings'))
  person.assertQuiet()
  await person.page.context().close()
})

test('untouched values stay unchanged when a TTL or one of several TXT records is changed', async () => {
  const records = ['"txtvers=1" "path=/x"', '"\\255\\000"', '"v=spf1 -all"']
  await world.api.put(zone, '_http._tcp', 'TXT', records)
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.button('Edit _http._tcp TXT').click()
  const ttlField = await person.field('TTL in seconds').boundingBox()
  const firstValue = await person.field('Data, value 1').boundingBox()
  assert.ok(ttlField && firstValue && firstValue.y - ttlField.y < 160, 'the values follow the TTL without a gap')
  await person.field('TTL in seconds').fill('600')
  await person.check('records-txt')
  await person.button('Add to changes').click()
  await saveAll(person)
  assert.deepEqual(await txt(), { ttl: 600, records: [...records].sort() })
  await person.page.reload()
  await person.button('Edit _http._tcp TXT').click()
  await person.page.getByLabel(/^Text, value/).fill('v=spf1 mx -all')
  await person.button('Add to changes').click()
  await saveAll(person)
  assert.deepEqual(await txt(), { ttl: 600, records: [...records.slice(0, 2), '"v=spf1 mx -all"'].sort() })
  person.assertQuiet()
  await person.page.context().close()

  async function txt(): Promise<{ ttl: number; records: string[] }> {
    type Rrset = { ttl: number; records: string[] }
    const { body } = await world.api.call<Rrset>('GET', `/zones/${zone}/rrsets/_http._tcp/TXT`)
    return { ttl: body.ttl, records: [...body.records].sort() }
  }
})

test('a new record is corrected, and another one is discarded, before anything is saved', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await add(person, 'wrong', 'A', { 'IPv4 address': '192.0.2.70' })
  await add(person, 'never', 'A', { 'IPv4 address': '192.0.2.71' })
  await person.button('Edit wrong A').click()
  await person.field('IPv4 address').fill('192.0.2.72')
  await person.button('Add to changes').click()
  await person.button('Delete never A').click()
  await person.sees('1 unsaved change')
  await saveAll(person)
  const { body } = await world.api.call<{ records: string[] }>('GET', `/zones/${zone}/rrsets/wrong/A`)
  assert.deepEqual(body.records, ['192.0.2.72'])
  person.assertQuiet()
  await person.page.context().close()
})

test('Escape closes a list but not the form, and another record opens only if nothing typed is lost', async () => {
  await world.api.put(zone, 'beside', 'A', ['192.0.2.90'])
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.button('Edit www A').click()
  await person.button('Edit beside A').click()
  await person.field('IPv4 address').fill('192.0.2.91')
  assert.ok(await person.button('Edit www A').isDisabled())
  await person.field('Or choose a TTL').click()
  await person.page.getByRole('option', { name: '1 day' }).waitFor()
  await person.page.keyboard.press('Escape')
  await person.seesNot(person.page.getByRole('option'))
  assert.equal(await person.field('IPv4 address').inputValue(), '192.0.2.91')
  await person.check('records-busy')
  await person.page.keyboard.press('Escape')
  await person.seesNot(person.field('IPv4 address'))
  // A form that is discarded with its record does not keep other forms from opening.
  await add(person, 'given-up', 'A', { 'IPv4 address': '192.0.2.92' })
  await person.button('Edit given-up A').click()
  await person.field('IPv4 address').fill('192.0.2.93')
  await person.button('Discard').click()
  await person.button('Discard 1 change').click()
  await person.seesNot(person.field('IPv4 address'))
  await person.button('Edit www A').click()
  await person.field('IPv4 address, value 1').waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

test(`a change that someone else makes in between is merged, and nothing is lost`, async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.button('Edit www A').click()
  await person.button('Another value').click()
  await person.field('IPv4 address, value 3').fill('192.0.2.30')
  await person.button('Add to changes').click()
  await world.api.put(zone, 'www', 'A', ['192.0.2.2', '192.0.2.3', '192.0.2.40'])
  person.expects(/status of 412/)
  await person.button('Review and save').click()
  await person.sees('Someone else has changed this zone since you opened it.')
  await person.check('records-merge')
  await person.button('Keep both').click()
  await person.button('Continue').click()
  await person.button('Save the change').click()
  await person.sees('Saved. Live on ns1 and ns2.')
  const { body } = await world.api.call<{ records: string[] }>('GET', `/zones/${zone}/rrsets/www/A`)
  assert.deepEqual(body.records, ['192.0.2.2', '192.0.2.3', '192.0.2.30', '192.0.2.40'])
  await person.page.context().close()
})

test(`a session that is lost in the middle loses nothing that was typed`, async () => {
  const person = await personAt('desktop')
  await person.signIn()
  // Without the stream of updates, a refresh does not find out first that the session is lost.
  await person.fails('**/api/v1/updates')
  await person.open(`/zones/${zone}`)
  await add(person, 'kept', 'A', { 'IPv4 address': '192.0.2.50' })
  await person.page.context().clearCookies()
  person.expects(/status of 401/, /Failed to load resource.*ERR_FAILED/)
  await person.button('Review and save').click()
  const dialog = person.page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByLabel('Password', { exact: true }).fill(world.facts.account.password)
  await person.check('session-lost')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByLabel('Code').fill(await person.code())
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await person.button('Save the change').click()
  await person.sees('Saved. Live on ns1 and ns2.')
  await person.page.context().close()
})

for (const device of testedDevices)
  test(`zone file, preset, history and health work, on a ${device}`, async () => {
    const zone = `records-${device}.example.org`
    const person = await personAt(device)
    await person.signIn()
    await importFile(person, zone)
    await setUpPreset(person, zone)
    await goBack(person, zone)
    await person.open(`/zones/${zone}/health`)
    await person.heading('Delegation').waitFor()
    await person.button('Check again').click()
    await person.field('Name').fill('www')
    await person.button('Query the resolvers').click()
    await person.page.getByText('In sync').first().waitFor()
    await person.check('zone-health')
    await person.link(/^Choose a DMARC preset/).click()
    await person.page.getByText('DMARC to start with').first().waitFor()
    await person.page.context().close()
  })

test('an import, a preset and a restore apply only to the zone as last reviewed', async () => {
  const zone = 'moving.example.org'
  await world.admin('zone', 'add', email, zone)
  await world.api.put(zone, 'www', 'A', ['192.0.2.1'])
  const person = await personAt('desktop')
  await person.signIn()
  person.expects(/status of 412/)
  const applies = async (button: string | RegExp, meanwhile: string): Promise<void> => {
    await person.button(button).waitFor()
    await world.api.put(zone, meanwhile, 'A', ['192.0.2.80'])
    await person.button(button).click()
    await person.sees('Someone else has changed this zone')
    assert.equal((await world.api.call('GET', `/zones/${zone}/rrsets/${meanwhile}/A`)).status, 200)
  }

  await person.open(`/zones/${zone}/import`)
  await person.field('Zone file').fill(`$ORIGIN ${zone}.\n@ 300 IN SOA a. b. 1 2 3 4 5\nimported 300 IN A 192.0.2.81\n`)
  await person.page.getByRole('radio', { name: 'Delete them' }).click()
  await person.button('Show what would change').click()
  await applies(/^Apply th/, 'after-import')
  await person.sees('after-import A')
  await person.check('zone-import-again')
  await person.button(/^Apply th/).click()
  await person.button('Edit imported A').waitFor()

  await person.open(`/zones/${zone}/presets?q=netlify`)
  await person.button('Set up Netlify website').click()
  const dialog = person.page.getByRole('dialog')
  await dialog.getByLabel(/^Subdomain/).fill('blog')
  await dialog.getByLabel(/Name of the site/).fill('my-blog')
  await dialog.getByRole('button', { name: 'Show what would change' }).click()
  await applies('Apply', 'after-preset')
  await person.button('Apply').click()
  await person.button('Edit www.blog CNAME').waitFor()

  await person.open(`/zones/${zone}/history`)
  const back = person.button(/^Restore version/).first()
  const which = (await back.textContent()) ?? ''
  await back.click()
  await dialog.getByRole('list', { name: 'Changes' }).waitFor()
  await world.api.put(zone, 'after-look', 'A', ['192.0.2.80'])
  await dialog.getByRole('button', { name: which }).click()
  await dialog.getByText('after-look A').waitFor()
  await dialog.getByRole('button', { name: which }).click()
  await person.seesNot(dialog)
  await person.seesNot(person.button('Edit www.blog CNAME'))
  person.assertQuiet()
  await person.page.context().close()
})

test('a change whose response was lost is not attributed to someone else; a repeat saves it or finds it done', async () => {
  const zone = 'lost-answers.example.org'
  await world.admin('zone', 'add', email, zone)
  const person = await personAt('desktop')
  await person.signIn()
  person.expects(/Failed to load resource/)
  // Without the stream of updates, which would automatically inform the page of the change.
  await person.fails('**/api/v1/updates')

  await person.open(`/zones/${zone}/import`)
  await person.field('Zone file').fill('imported 300 IN A 192.0.2.81\n')
  await person.button('Show what would change').click()
  await person.losesNext(/\/import\?mode=merge$/, 'POST')
  await person.button(/^Apply th/).click()
  await person.sees('No connection')
  await person.button(/^Apply th/).click()
  await person.button('Edit imported A').waitFor()
  await person.seesNot(person.page.getByText('Someone else has changed'))

  await add(person, 'reviewed', 'A', { 'IPv4 address': '192.0.2.82' })
  await person.button('Review and save').click()
  await person.page.getByRole('dialog').getByRole('list', { name: 'Changes' }).waitFor()
  await person.losesNext(/\/rrsets$/, 'PATCH')
  await person.button('Save the change').click()
  await person.sees('No connection')
  await person.button('Save the change').click()
  await person.sees('The records are already as you want them. There is nothing to save.')
  await person.seesNot(person.page.getByText('Someone else has changed'))
  await person.check('records-saved-already')
  await person.button('Continue').click()
  await person.sees('Nothing is left to save')
  await person.button('Close').last().click()
  await person.seesNot(person.page.getByText('unsaved change'))

  await person.open(`/zones/${zone}/import`)
  await person.field('Zone file').fill('both 300 IN A 192.0.2.83\n')
  await person.button('Show what would change').click()
  await person.button(/^Apply th/).waitFor()
  await world.api.put(zone, 'both', 'A', ['192.0.2.83'], 300)
  await person.button(/^Apply th/).click()
  await person.sees('Nothing to apply')
  person.assertQuiet()
  await person.page.context().close()
})

test('a file that is larger than the import limit is refused before it is sent', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}/import`)
  const [chooser] = await Promise.all([person.page.waitForEvent('filechooser'), person.button('Choose a file').click()])
  const file = { name: 'large.zone', mimeType: 'text/dns', buffer: Buffer.alloc(maxImportBytes + 1, ';') }
  await chooser.setFiles(file)
  await person.sees('large.zone is too large: at most 16 MiB are imported at once.')
  // A chosen file is previewed immediately, and this one is refused.
  person.expects(/status of 422/)
  await chooser.setFiles({ ...file, name: 'small.zone', buffer: Buffer.from('; small\n') })
  await person.seesNot(person.page.getByText('large.zone is too large'))
  assert.equal(await person.field('Zone file').inputValue(), '; small\n')
  await person.sees(/This file contains no records/)
  person.assertQuiet()
  await person.page.context().close()
})

test('a person with more changes than can be saved at once learns how to continue', async () => {
  const zone = 'too-many.example.org'
  await world.admin('zone', 'add', email, zone)
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.addUnsaved('unsaved')
  await person.page.evaluate((count) => {
    const place = Object.keys(sessionStorage).find((key) => key.startsWith('zonewright-edits:')) ?? ''
    const [[, edit]] = JSON.parse(sessionStorage.getItem(place) ?? '') as [[string, { name: string; type: string }]]
    const edits = Array.from({ length: count }, (_, i) => ({ ...edit, name: `${i}.${edit.name}` }))
    sessionStorage.setItem(place, JSON.stringify(edits.map((each) => [`${each.name} ${each.type}`, each])))
  }, maxChangesPerRequest + 1)
  await person.page.reload()
  await person.sees('1,001 unsaved changes')
  await person.button('Review and save').click()
  await person.sees('At most 1,000 record sets change at once')
  await person.sees('Undo some of them and save the rest first, or import them as a zone file.')
  await person.check('records-too-many')
  await person.page.getByRole('dialog').getByRole('button', { name: 'Back' }).click()
  assert.ok(await person.button('Save 1,001 changes').isDisabled())
  await person.page.context().close()
})

test(`while the service cannot be reached, the page says so, and it continues afterwards`, async () => {
  const person = await personAt('desktop')
  await person.signIn()
  const reach = await person.fails('**/api/v1/zones/*/rrsets*')
  person.expects(/Failed to load resource/)
  await person.open(`/zones/${zone}`)
  await person.sees('No connection')
  await person.check('records-no-connection')
  await reach()
  await person.button('Try again').click()
  await person.button('Edit www A').waitFor()
  await person.page.context().close()
})

async function add(person: Person, name: string, type: string, parts: Readonly<Record<string, string>>): Promise<void> {
  await person.button('Add records').click()
  const form = person.page.getByRole('form', { name: 'New records' })
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByRole('combobox', { name: 'Type' }).fill(type)
  await person.page.keyboard.press('Tab')
  for (const [label, text] of Object.entries(parts)) await form.getByLabel(label, { exact: true }).fill(text)
  await person.button('Add to changes').click()
  await form.waitFor({ state: 'detached' })
}

/** Saves all changes, and waits until they are served. */
async function saveAll(person: Person): Promise<void> {
  await person.button('Review and save').click()
  await person.button(/^Save (the change|all \d+ changes)$/).click()
  await person.sees('Saved. Live on ns1 and ns2.')
}

async function importFile(person: Person, zone: string): Promise<void> {
  await person.open(`/zones/${zone}/import`)
  await person.field('Zone file').fill(`$ORIGIN ${zone}.\n@ 300 IN SOA a. b. 1 2 3 4 5\nftp 300 IN A 192.0.2.999\n`)
  await person.button('Show what would change').click()
  await person.sees('The file has faults: correct them first')
  await person.field('Zone file').fill(`$ORIGIN ${zone}.\n@ 300 IN SOA a. b. 1 2 3 4 5\nftp 1 IN A 192.0.2.60\n`)
  await person.button('Show what would change').click()
  await person.sees('Left out')
  await person.sees('Adapted')
  await person.sees(/Line 3: The TTL 1 became 300/)
  await person.check('zone-import')
  await person.button('Apply this change').click()
  await person.button('Edit ftp A').waitFor()
  await person.open(`/zones/${zone}/import`)
  const downloading = person.page.waitForEvent('download')
  await person.page.getByRole('link', { name: /^Download/ }).click()
  assert.equal((await downloading).suggestedFilename(), `${zone}.zone`)
}

async function setUpPreset(person: Person, zone: string): Promise<void> {
  await person.open(`/zones/${zone}/presets`)
  await person.field('Filter presets').fill('netlify')
  await person.check('zone-presets')
  await person.button('Set up Netlify website').click()
  const dialog = person.page.getByRole('dialog')
  await dialog.getByLabel(/^Subdomain/).fill('shop')
  await dialog.getByLabel(/Name of the site/).fill('my-site')
  await dialog.getByRole('button', { name: 'Show what would change' }).click()
  await dialog
    .getByText(/my-site\.netlify\.app/)
    .first()
    .waitFor()
  await person.check('zone-preset')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await person.button('Edit www.shop CNAME').waitFor()
}

async function goBack(person: Person, zone: string): Promise<void> {
  await person.open(`/zones/${zone}/history`)
  await person
    .button(/^Show the changes/)
    .first()
    .click()
  await person.page.getByRole('list', { name: 'Changes' }).first().waitFor()
  await person.check('zone-history')
  await person
    .button(/^Restore version/)
    .first()
    .click()
  const dialog = person.page.getByRole('dialog')
  await dialog.getByText('www.shop CNAME').waitFor()
  await dialog.getByRole('button', { name: /^Restore/ }).click()
  await person.button('Edit ftp A').waitFor()
  await person.seesNot(person.button('Edit www.shop CNAME'))
}
