import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Person, peopleForTests, testedDevices, untilAnswered, worldForTests } from '../world/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-connect-'))
after(() => rmSync(folder, { recursive: true }))
writeFileSync(
  join(folder, 'service.example.site.json'),
  JSON.stringify({
    providerId: 'service.example',
    providerName: 'Example Service',
    serviceId: 'site',
    serviceName: 'Example website',
    syncRedirectDomain: 'service.example',
    records: [
      { type: 'A', host: '@', pointsTo: '%ip%', ttl: '1800' },
      { type: 'TXT', host: '@', data: 'site=%token%', ttl: '1800' },
    ],
  }),
)

const world = await worldForTests({
  env: { DOMAIN_CONNECT: 'dns.example=Example DNS', DOMAIN_CONNECT_DIR: folder },
})
const personAt = await peopleForTests(world)
const { account, base_url: site } = world.facts
const path = '/v2/domainTemplates/providers/service.example/services/site'

function linkFor(zone: string, more = ''): string {
  return `${path}/apply?domain=${zone}&ip=192.0.2.7&token=a%2Bb${more}`
}

/** The service provider's site, as far as a browser needs it. Returns the URLs that were opened there. */
async function serviceProvider(person: Person): Promise<string[]> {
  const opened: string[] = []
  await person.page.route('https://service.example/**', async (route) => {
    if (route.request().isNavigationRequest()) opened.push(route.request().url())
    await route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Example Service</title><h1>Welcome back</h1>',
    })
  })
  return opened
}

for (const device of testedDevices)
  test(`a link leads to sign-in, then shows who asks and what changes, applies it, and returns, on a ${device}`, async () => {
    const zone = `connect-${device}.example.org`
    await world.admin('zone', 'add', account.email, zone)
    await world.api.put(zone, '@', 'A', ['192.0.2.1'])
    const person = await personAt(device)
    const opened = await serviceProvider(person)
    // No one is signed in yet.
    person.expects(/401/)
    await person.page.goto(linkFor(zone, '&redirect_uri=https%3A%2F%2Fservice.example%2Fdone&state=s%201'))
    await person.field('Email').fill(account.email)
    await person.field('Password').fill(account.password)
    await person.button('Sign in').click()
    await person.field('Code').fill(await person.code())
    await person.button('Continue').click()
    await person.heading(`Connect ${zone} to Example website`).waitFor()
    await person.sees('Make sure that you trust this link')
    await person.sees('192.0.2.7')
    await person.sees('"site=a+b"')
    await person.seesMenuEntry('Zones')
    await person.check('domain-connect')
    await person.button('Apply the changes').click()
    await person.heading('Welcome back').waitFor()
    assert.deepEqual(opened, ['https://service.example/done?state=s+1'])
    const { body } = await world.api.call<{ records: string[] }>('GET', `/zones/${zone}/rrsets/@/A`)
    assert.deepEqual(body.records, ['192.0.2.7'])
    person.assertQuiet()
    await person.page.context().close()
  })

test('cancelling returns with an error, and a link that names another site does not leave this one', async () => {
  const zone = 'connect-cancel.example.org'
  await world.admin('zone', 'add', account.email, zone)
  const person = await personAt('desktop')
  const opened = await serviceProvider(person)
  await person.signIn()
  await person.page.goto(linkFor(zone, '&redirect_uri=https%3A%2F%2Fservice.example%2Fdone'))
  await person.button('Cancel and return to Example Service').click()
  await person.heading('Welcome back').waitFor()
  assert.deepEqual(opened, ['https://service.example/done?error=access_denied&error_description=user_cancel'])

  await person.page.goto(linkFor(zone, '&redirect_uri=https%3A%2F%2Fevil.example%2F'))
  await person.button('Apply the changes').click()
  await person.sees('Close this window')
  assert.equal(new URL(person.page.url()).origin, site)
  person.assertQuiet()
})

test('a link for someone else’s zone returns with an error, and shows no records', async () => {
  const person = await personAt('desktop')
  const opened = await serviceProvider(person)
  await person.signIn()
  person.expects(/404/)
  await person.page.goto(linkFor('not-mine.example.org', '&redirect_uri=https%3A%2F%2Fservice.example%2Fdone'))
  await person.sees('This zone does not exist, or this account has no access to it.')
  assert.equal(await person.button('Apply the changes').count(), 0)
  await person.button('Cancel and return to Example Service').click()
  await person.heading('Welcome back').waitFor()
  assert.deepEqual(opened, ['https://service.example/done?error=access_denied'])
})

test('the page cannot be shown in a frame of another site', async () => {
  for (const url of [linkFor('example.org'), '/app/domain-connect']) {
    const { headers } = await fetch(new URL(url, site), { redirect: 'manual' })
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, url)
  }
})

test('service providers find the settings of a zone through the TXT record that the nameservers serve', async () => {
  const zone = 'connect-found.example.org'
  await world.admin('zone', 'add', account.email, zone)
  for (const { address } of world.facts.nameservers)
    await untilAnswered(address, `_domainconnect.${zone}`, 'TXT', new URL(site).host)
  const settings = (await (await fetch(`${site}/v2/${zone}/settings`)).json()) as { urlAPI: string; urlSyncUX: string }
  assert.deepEqual([settings.urlAPI, settings.urlSyncUX], [site, site])
  assert.equal((await fetch(`${settings.urlAPI}${path}`)).status, 200)
  assert.equal((await fetch(`${settings.urlAPI}${path}2`)).status, 404)
})
