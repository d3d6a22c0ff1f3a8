import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buyerContact,
  cards,
  type Device,
  eventually,
  jobClicksOf,
  newcomer,
  type Person,
  peopleForTests,
  RegistryOffice,
  testedDevices,
  worldForTests,
} from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const office = await RegistryOffice.of(world)
const { account } = world.facts
const ben = {
  name: 'Ben Okri',
  email: 'ben@example.net',
  phone: '+2348031234567',
  address1: '1 Marina Road',
  city: 'Lagos',
  country: 'NG',
}
await world.api.call('POST', '/contacts', ben)
await world.admin('promo', 'create', 'SPRING', '--percent', '20', '--repeatable')

test('a page that stays open requests a new price before the current one expires', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.page.clock.install()
  await person.open('/buy/stays-open.test')
  await person.sees('This price expires')
  const isAsked = person.page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/quotes'),
  )
  await person.page.clock.runFor('21:00')
  await isAsked
  await person.page.context().close()
})

for (const device of testedDevices) {
  test(`a name is found among many, ordered with a promo code, paid by card, and gets its zone, on a ${device}`, async () => {
    const name = `bought-${device}.test`
    const person = await personAt(device)
    await person.signIn()
    await person.open('/buy')
    await person.sees('Prices per year')
    await person.check('buy')
    await person.field('Names').fill(`https://www.${name}/cart?x=1, premium-${device}; nic.test\n-bad-.test`)
    await person.button('Search').click()
    await person.sees(/of 5 available$/)
    await person.sees('Premium')
    await person.check('buy-offers')
    await person.link(`Buy ${name}`).click()
    await person.heading(`Register ${name}`).waitFor()
    await enterContact(person, device)
    await tryPromoCodes(person)
    await chooseYears(person, '2 years')
    await person.page.getByText(`Registration of ${name}, 2 years`).waitFor()
    await person.check('order-new')
    await person.button(/^Order and pay .* by card$/).click()
    await payAt(person, cards.success)
    await person.seesStatus('Completed')
    await person.sees('Paid by card')
    await person.check('order')
    const receipt = person.page.waitForEvent('popup')
    await person.link('Receipt').click()
    assert.match(await (await receipt).innerText('body'), new RegExp(`Registration of ${name}, 2 years`))
    await person.link('Open the zone').click()
    await person.heading(name).waitFor()
    await person.open(`/orders/none`)
    person.expects(/status of 404/)
    await person.sees('Not found')
    person.assertQuiet()
    await person.page.context().close()
  })

  test(`a TLD’s extra requirements are requested, and an internationalized name is shown in Unicode, on a ${device}`, async () => {
    const company = `company-${device}.com.test`
    const person = await personAt(device)
    await person.signIn()
    await person.open(`/buy/${company}`)
    await chooseContact(person)
    person.expects(/status of 422/)
    await person.button(/^Order and pay/).click()
    await person.sees(/Type of registrant/)
    await person.button('New contact').click()
    const dialog = person.page.getByRole('dialog', { name: 'New contact' })
    await fillContact(dialog, { ...ada(device), 'Company number, such as RC12345': 'RC12345' })
    await dialog.getByRole('combobox', { name: 'Type of registrant' }).selectOption('company')
    await person.check('contact-beyond')
    await dialog.getByRole('button', { name: 'Save the contact' }).click()
    await dialog.waitFor({ state: 'detached' })
    await person.button(/^Order and pay/).click()
    await payAt(person, cards.success)
    await person.seesStatus('Completed')
    const name = `müller-${device}.test`
    await person.open('/buy')
    await person.field('Names').fill(name.toUpperCase())
    await person.button('Search').click()
    await person.link(`Buy ${name}`).click()
    await person.heading(`Register ${name}`).waitFor()
    await chooseContact(person)
    await person.button(/^Order and pay/).click()
    await payAt(person, cards.success)
    await person.heading(`Registration of ${name}`).waitFor()
    await person.seesStatus('Completed')
    await person.open(`/domains?q=${name}`)
    await person.link(name).waitFor()
    person.assertQuiet()
    await person.page.context().close()
  })

  test(`someone without an account pays by a link, and a link can be revoked, on a ${device}`, async () => {
    const name = `linked-${device}.test`
    const person = await personAt(device)
    await person.signIn()
    await person.open(`/buy/${name}`)
    await chooseContact(person)
    await person.page.getByRole('radio', { name: 'Someone else, with a payment link' }).click()
    await person.field('Email the link to').fill(`client-${device}@example.net`)
    await person.button('Order and create a payment link').click()
    const first = await payLinkOn(person)
    await person.check('order-unpaid')
    const { links } = await world.mailbox.waitFor(`client-${device}@example.net`, 'the payment link')
    assert.ok(links.includes(first), 'the link was mailed')
    await person.button('Revoke the link').click()
    await person.page.getByRole('dialog').getByRole('button', { name: 'Revoke the link' }).click()
    await person.button('Create a payment link').click()
    const second = await payLinkOn(person)
    const payer = await personAt(device)
    payer.expects(/status of 404/)
    await payer.page.goto(first)
    await payer.heading('This payment link is no longer valid').waitFor()
    await payer.sees('If you have just paid, the payment is recorded.')
    await payer.check('pay-ended')
    await payer.page.goto(second)
    await payer.sees(`Registration of ${name}, 1 year`)
    await payer.check('pay')
    await payer.field('Your email').fill(`payer-${device}@example.net`)
    await payer.button(/^Pay ₦/).click()
    await payer.button(cards.success).waitFor()
    await payer.page.goBack()
    await payer.sees(
      'A payment was started. If you have paid, this page updates in a moment. Otherwise, continue with the payment.',
    )
    await payer.check('pay-begun')
    await payer.field('Your email').fill(`payer-${device}@example.net`)
    await payer.button(/^Continue to pay ₦/).click()
    await payAt(payer, cards.declined)
    await payer.sees('The card was declined')
    await payer.check('pay-declined')
    await payer.field('Your email').fill(`payer-${device}@example.net`)
    await payer.button('Try another card').click()
    await payAt(payer, cards.success)
    await payer.heading('The order is paid').waitFor()
    await payer.check('pay-paid')
    await person.seesStatus('Completed')
    await payer.page.context().close()
    await person.page.context().close()
  })

  test(`an order that its registry refuses is refunded to the card or credited, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signIn()
    for (const [card, name, end] of [
      [cards.success, `refused-${device}.test`, 'Refunded'],
      [cards.refundFails, `credited-${device}.test`, 'Credited'],
    ] as const) {
      await office.once('domain:create', name, { code: 2306, reason: 'Against our policy' })
      await orderFor(person, name)
      await payAt(person, card)
      await person.seesStatus(end)
      await person.sees(/Against our policy/)
      const payments = person.page.getByRole('region', { name: 'Card payments' })
      await payments.getByText(end, { exact: true }).waitFor()
      assert.equal(await person.link('Search for another name').getAttribute('href'), '/app/buy')
      await person.check(`order-${end.toLowerCase()}`)
    }
    await person.link('Show the credit').click()
    await person.sees('A card payment that became credit')
    await person.seesMenuEntry('Account')
    const balance = person.page.getByRole('row').nth(1).getByRole('cell').last()
    assert.ok(
      await balance.evaluate((one) => one.getBoundingClientRect().right <= innerWidth),
      'the amounts are in view',
    )
    await person.check('credit')
    await payByCredit(person, `credit-${device}.test`)
    await person.open('/orders')
    await person.link(`Registration of refused-${device}.test`).waitFor()
    await person.check('orders')
    await person.open(`/orders?name=credited-${device}.test`)
    await person.link(`Registration of credited-${device}.test`).waitFor()
    await person.seesNot(person.link(`Registration of refused-${device}.test`))
    await person.open('/orders?status=pending_payment&name=nobody-has.test')
    await person.sees('No order matches')
    person.assertQuiet()
    await person.page.context().close()
  })

  test(`a domain is transferred here with its transfer code, on a ${device}`, async () => {
    const name = `arriving-${device}.test`
    await office.registerElsewhere(name, 'their-code')
    const person = await personAt(device)
    await person.signIn()
    await person.open(`/buy?q=${name}`)
    await person.link(`Transfer ${name} here`).click()
    await person.heading(`Transfer ${name}`).waitFor()
    assert.ok(await person.button(/^Order and pay/).isDisabled())
    await person.field('Transfer code').fill('their-code')
    await person.check('order-transfer')
    await person.button(/^Order and pay/).click()
    await payAt(person, cards.success)
    await person.sees('Transfer started')
    await person.sees('The current registrar has a few days to object')
    await person.check('order-transferring')
    await person.open(`/orders?name=${name}`)
    await person.sees('Transfer in progress')
    await person.page.context().close()
  })
}

test('an unpaid order blocks another one for its name, continues after back and reload, and is cancelled', async () => {
  const name = 'twice.test'
  const person = await personAt('desktop')
  await person.signIn()
  await orderFor(person, name)
  await person.button(`${cards.declined}`).waitFor()
  await person.page.goBack()
  await person.heading(`Register ${name}`).waitFor()
  await chooseContact(person)
  person.expects(/status of 409/)
  await person.button(/^Order and pay/).click()
  await person.sees('There is an open order for this name')
  assert.ok(await person.button(/^Order and pay/).isDisabled())
  await person.check('order-open')
  await person.page.getByRole('alert').getByRole('link', { name: 'Show that order' }).click()
  await person.link(`Registration of ${name}`).click()
  await person.button(/^Continue to pay/).waitFor()
  await person.page.reload()
  await person.button(/^Continue to pay/).click()
  await payAt(person, cards.declined)
  await person.sees('The card was declined')
  await person.sees(/The card gateway gives this reason: Declined\./)
  await person.check('order-declined')
  await person.button('Try another card').click()
  await person.button(cards.success).waitFor()
  await person.open('/orders')
  await person.link(`Registration of ${name}`).click()
  const other = await person.anotherTab()
  await other.page.goto(person.page.url())
  await other.button('Cancel the order').click()
  await other.page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click()
  await other.seesStatus('Cancelled')
  await person.seesStatus('Cancelled')
  await person.sees('Not completed')
  assert.equal(await person.link('Order again').getAttribute('href'), `/app/buy/${name}`)
  await person.check('order-cancelled')
  other.assertQuiet()
  await person.page.context().close()
})

test('an order whose response was lost is requested again, and stays one order', async () => {
  const name = 'answer-lost.test'
  const person = await personAt('desktop')
  await person.signIn()
  await person.losesNext(/\/api\/v1\/orders$/, 'POST', 201)
  person.expects(/Failed to load resource/)
  await orderFor(person, name)
  await person.sees('No connection')
  await person.button(/^Order and pay/).click()
  await person.button(cards.success).waitFor()
  const { body } = await world.api.call<{ data: { name: string }[] }>('GET', `/orders?name=${name}`)
  assert.equal(body.data.length, 1)
  person.assertQuiet()
  await person.page.context().close()
})

test('a changed price, a lost session and a busy service lose nothing that was typed', async () => {
  const name = 'typed.test'
  await world.admin('credit', 'grant', account.email, '10000', 'A present')
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/buy/${name}`)
  await chooseContact(person)
  await person.page.getByRole('radio', { name: 'Others' }).click()
  await person.field('Which nameservers').fill('ns1.example.net\nns2.example.net')
  // The account gets credit after the page has sent the order, so less is due than the page shows.
  await person.page.route(
    '**/api/v1/orders',
    async (route) => {
      await world.admin('credit', 'grant', account.email, '2345', 'Another')
      await route.continue()
    },
    { times: 1 },
  )
  person.expects(/status of (401|409|429|503)/)
  await person.button(/^Order and pay/).click()
  await person.sees('The price has changed')
  await person.page.getByText('−₦123.45').waitFor()
  await person.page.route('**/api/v1/orders', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '7' },
      json: {
        error: { code: 'rate_limited', message: 'Too many requests. Try again in 7 s.', request_id: 'req_test' },
      },
    }),
  )
  await person.button(/^Order and pay/).click()
  await person.page.getByText('Too many requests. Try again in 7 s.', { exact: true }).waitFor()
  await person.page.unroute('**/api/v1/orders')
  await person.losesSessionAt('**/api/v1/orders')
  await person.button(/^Order and pay/).click()
  const dialog = person.page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByLabel('Password', { exact: true }).fill(account.password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByLabel('Code').fill(await person.code())
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await person.field('Which nameservers').inputValue(), 'ns1.example.net\nns2.example.net')
  await person.button(/^Order and pay/).click()
  await person.button(cards.success).waitFor()
  const { body } = await world.api.call<{ data: { name: string }[] }>('GET', `/orders?name=${name}`)
  assert.equal(body.data.length, 1)
  await person.page.context().close()
})

test('credit that was spent elsewhere is read again, and the page shows what is left to pay before the order', async () => {
  const email = 'spent-elsewhere@example.net'
  const browser = await newcomer(world, email)
  const contact = await browser.call('POST', '/api/v1/contacts', buyerContact)
  const wish = { kind: 'register', name: 'spent-elsewhere.test', years: 1 }
  const quote = await browser.call('POST', '/api/v1/quotes', wish)
  await world.admin('credit', 'grant', email, String(quote.body['amount_kobo']))
  const person = await personAt('desktop')
  await person.signInAs(email)
  await person.open('/buy/spent-here.test')
  await chooseContact(person)
  await person.button('Place order').waitFor()
  const other = { quote_id: quote.body['id'], contact_id: contact.body['id'], use_credit: true }
  assert.equal((await browser.call('POST', '/api/v1/orders', other)).status, 201)
  person.expects(/status of 402/)
  await person.button('Place order').click()
  await person.sees('Not enough credit')
  await person.button(/^Order and pay .* by card$/).click()
  await person.button(cards.success).waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

test('an unavailable term is reported, another one is chosen, and nothing that was typed is lost', async () => {
  const name = 'bought-desktop.test'
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/domains/${name}`)
  await person.link('Renew').click()
  await person.heading(`Renew ${name}`).waitFor()
  await person.seesNot(person.breadcrumb('Search'))
  await person.breadcrumb(name).click()
  await person.link('Renew').click()
  await person.page.getByRole('radio', { name: 'Someone else, with a payment link' }).click()
  await person.field('Email the link to').fill('client@example.net')
  await chooseYears(person, '10 years')
  person.expects(/status of 409/)
  const years = person.page.getByRole('combobox', { name: 'Years' })
  await person.page
    .getByText(/^A registration can run for at most 10 years from now\. Choose at most \d years\.$/)
    .waitFor()
  assert.equal(await years.getAttribute('aria-invalid'), 'true')
  assert.ok(await person.button('Place order').isDisabled())
  await person.check('order-no-price')
  await chooseYears(person, '2 years')
  await person.page.getByText(`Renewal of ${name}, 2 years`).waitFor()
  assert.equal(await person.field('Email the link to').inputValue(), 'client@example.net')
  await person.button('Order and create a payment link').click()
  await payLinkOn(person)
  person.assertQuiet()
  await person.page.context().close()
})

test('the receipt address in an order leads to the receipt', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  const paid = await world.api.call<{ data: { id: string }[] }>(
    'GET',
    '/orders?status=completed&name=bought-desktop.test',
  )
  const { body } = await world.api.call<{ receipt: string }>('GET', `/orders/${paid.body.data[0]?.id}`)
  await person.page.goto(body.receipt)
  await person.sees('Registration of bought-desktop.test, 2 years')
  await person.seesNot(person.heading('Page not found'))
  person.assertQuiet()
  await person.page.context().close()
})

test('junk, and more names than can be looked up, are reported; a silent registry can be queried again', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open('/buy')
  await person.field('Names').fill(Array.from({ length: 80 }, (_, i) => `pile${i}`).join('\n'))
  await person.field('Names').press('Enter')
  await person.sees('Only the first 100 are looked up')
  await person.sees(/^\d+ of 100 available$/)
  assert.equal(await person.page.getByRole('list', { name: 'What was found' }).locator('li').count(), 100)
  await person.field('Names').fill(`<script>alert(1)</script> ${'x'.repeat(300)} 💩 ../../etc`)
  await person.button('Search').click()
  await person.sees(/^\d+ of \d+ available$/)
  await person.check('buy-junk')
  await office.behave('domain:check', 'silent.test', { code: 2400 })
  await person.open('/buy/silent.test')
  person.expects(/status of 503/)
  await person.sees('The registry does not answer')
  await person.check('order-no-registry')
  await office.behave('domain:check', 'silent.test', {})
  await person.button('Try again').click()
  await person.heading('Registrant').waitFor()
  await person.open('/buy/nic.test')
  await person.sees('nic.test is taken')
  person.assertQuiet()
  await person.page.context().close()
})

for (const device of testedDevices) {
  test(`contacts are corrected and deleted, on a ${device}`, async () => {
    const name = `Ben ${device}`
    await world.api.call('POST', '/contacts', { ...ben, name })
    const person = await personAt(device)
    await person.signIn()
    await person.open('/contacts')
    await person.button(`Edit ${name}`).click()
    const dialog = person.page.getByRole('dialog')
    await dialog.getByLabel('City').fill('Abuja')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await person.sees('Abuja')
    await person.seesMenuEntry('Buy a domain')
    await person.check('contacts')
    await person.button(`Delete ${name}`).click()
    await dialog.getByRole('button', { name: `Delete ${name}` }).click()
    await person.seesNot(person.button(`Delete ${name}`))
    person.assertQuiet()
    await person.page.context().close()
  })
}

test('a domain is bought, renewed and paid by a link in few clicks; its card is saved, allowed for it and removed', async () => {
  const name = 'ngozicakes.test'
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  const { keyboard } = person.page
  await person.signIn()

  await clicks.begin()
  await person.link('Buy a domain').click()
  await person.field('Names').fill('Ngozi Cakes')
  await keyboard.press('Enter')
  await person.sees('Suggestions for “ngozi cakes”')
  await person.check('buy-suggested')
  await person.page
    .getByRole('list', { name: 'Suggested names' })
    .getByRole('link', { name: `Buy ${name}` })
    .click()
  await chooseContact(person)
  await orderByKey(person)
  await payAt(person, cards.success)
  await person.heading(`Registration of ${name}`).waitFor()
  clicks.done('buy a domain')
  await person.seesStatus('Completed')

  await clicks.begin()
  await person.link('Domains').click()
  await person.link(`Renew ${name}`).click()
  await orderByKey(person)
  await payAt(person, cards.success)
  await person.heading(`Renewal of ${name}`).waitFor()
  clicks.done('renew a domain')
  await person.seesStatus('Completed')

  await person.open(`/buy/linked-job.test`)
  await chooseContact(person)
  await person.page.getByRole('radio', { name: 'Someone else, with a payment link' }).click()
  await person.button('Order and create a payment link').click()
  const link = await payLinkOn(person)
  const payer = await personAt('desktop')
  const payerClicks = await jobClicksOf(payer)
  await payer.page.goto(link)
  await payer.field('Your email').fill('payer-of-job@example.net')
  await payer.page.keyboard.press('Enter')
  await payAt(payer, cards.success)
  await payer.heading('The order is paid').waitFor()
  payerClicks.done('pay by a link')
  await payer.page.context().close()

  await person.open('/buy/saves-card.test')
  await chooseContact(person)
  await person.field('Save this card for auto-renew').check()
  await person.check('order-save-card')
  await person.button(/^Order and pay/).click()
  await payAt(person, cards.success)
  await person.seesStatus('Completed')
  await person.open('/domains/saves-card.test')
  const card = person.page.getByRole('combobox', { name: 'Charge this card' })
  await eventually('auto-renew may charge the card', async () => (await card.inputValue()) !== '')
  await person.check('domain-card')
  await card.selectOption({ label: 'No card: email me a payment link' })
  await person.sees('Auto-renew charges no card.')
  await card.selectOption({ index: 1 })
  await person.sees('Auto-renew may charge this card.')
  await person.open('/credit')
  await person.sees('Visa •••• 0001')
  await person.check('saved-cards')
  await person.button('Remove Visa •••• 0001').click()
  const dialog = person.page.getByRole('dialog')
  await dialog.getByText('saves-card.test').waitFor()
  await person.check('saved-card-remove')
  person.expects(/ERR_FAILED|Failed to load resource/)
  await person.losesNext(/\/api\/v1\/cards\//, 'DELETE')
  await dialog.getByRole('button', { name: 'Remove the card' }).click()
  await dialog.getByText('No connection').waitFor()
  await dialog.getByRole('button', { name: 'Remove the card' }).click()
  await person.sees('No cards yet.')
  await person.open('/domains/saves-card.test')
  await person.sees('To have a card charged automatically')
  person.assertQuiet()
  await person.page.context().close()
})

function ada(device: Device): Record<string, string> {
  return {
    'Full name': `Ada ${device}`,
    Email: 'ada@example.net',
    Phone: '+2348031234567',
    Address: '1 Marina Road',
    City: 'Lagos',
  }
}

async function fillContact(dialog: ReturnType<Person['button']>, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(text)
  await dialog.getByLabel('Country').selectOption('Nigeria')
}

/** Enters a contact, first with faults, which are reported at their fields. */
async function enterContact(person: Person, device: Device): Promise<void> {
  await person.button('New contact').click()
  const dialog = person.page.getByRole('dialog', { name: 'New contact' })
  // Name and email are those of the account.
  assert.equal(await dialog.getByLabel('Email', { exact: true }).inputValue(), account.email)
  await fillContact(dialog, { ...ada(device), Phone: '0803 123' })
  person.expects(/status of 422/)
  await dialog.getByRole('button', { name: 'Save the contact' }).click()
  await dialog.getByText(/not a valid phone number in Nigeria\. Write it as people dial it there/).waitFor()
  assert.equal(await dialog.getByRole('alert').count(), 0)
  const phone = dialog.getByLabel('Phone', { exact: true })
  assert.match((await phone.getAttribute('aria-describedby')) ?? '', /error/)
  assert.ok(await phone.evaluate((field) => field === document.activeElement))
  await person.check('contact')
  await dialog.getByLabel('Phone', { exact: true }).fill('0803 123 4567')
  await dialog.getByRole('button', { name: 'Save the contact' }).click()
  await dialog.waitFor({ state: 'detached' })
  await person.page.getByText('ada@example.net').waitFor()
}

async function tryPromoCodes(person: Person): Promise<void> {
  await person.field('Promo code').fill('NOBODY')
  await person.button('Apply').click()
  await person.sees('This promo code does not exist.')
  await person.field('Promo code').fill('spring')
  await person.button('Apply').click()
  await person.page.getByText('Promo code SPRING', { exact: true }).waitFor()
  await person.page.getByText('Promo code SPRING applied.', { exact: true }).waitFor()
}

/** The first of the account's contacts. */
async function chooseContact(person: Person): Promise<void> {
  await person.page.getByRole('combobox', { name: 'Contact' }).click()
  await person.page.getByRole('option').first().click()
}

async function chooseYears(person: Person, years: string): Promise<void> {
  await person.page.getByRole('combobox', { name: 'Years' }).click()
  await person.page.getByRole('option', { name: years, exact: true }).click()
}

/** Orders a name without credit, and continues to the card page. */
async function orderFor(person: Person, name: string): Promise<void> {
  await person.open(`/buy/${name}`)
  await chooseContact(person)
  const credit = person.page.getByRole('checkbox', { name: 'Use my credit' })
  if (await credit.isVisible()) await credit.uncheck()
  await person.button(/^Order and pay/).click()
}

async function payByCredit(person: Person, name: string): Promise<void> {
  await person.open(`/buy/${name}`)
  await chooseContact(person)
  await person.button('Place order').click()
  await person.sees('by credit.')
  await person.seesStatus('Completed')
}

/** Orders with the shortcut of the main button, which works once the page has its price. */
async function orderByKey(person: Person): Promise<void> {
  await person.button(/^Order and pay/).waitFor()
  await eventually('the gateway is shown', async () => {
    await person.page.keyboard.press('Control+Enter')
    await person.page.waitForURL(/\/checkout\//, { timeout: 5_000 })
    return true
  })
}

async function payAt(person: Person, card: string): Promise<void> {
  await person.button(card).click()
}

async function payLinkOn(person: Person): Promise<string> {
  return await eventually(
    'the page shows the payment link',
    async () => /https?:\/\/\S+\/app\/pay\/[\w-]+/.exec(await person.page.locator('main').innerText())?.[0],
  )
}
