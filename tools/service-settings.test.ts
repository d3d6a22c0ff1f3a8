// The settings that the service of `npm start` gets. system-tests/flows/settings-given.test.ts shows that a real one gets every setting.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentedAddresses, nameserversIn, withWholeNames } from './local/addresses.ts'
import { type Environment, serviceSettings } from './local/service-settings.ts'

const addresses = documentedAddresses({})
const parts = {
  dataDir: '/data',
  databaseUrl: 'postgres://db.example.net/zonewright',
  addresses,
  nameservers: 'ns1.zonewright.test=127.0.0.1:5301,ns2.zonewright.test=127.0.0.1:5302',
  caFile: '/data/receiver/ca.pem',
  dashboardDir: '/dashboard',
  registriesFile: '/data/registries.json',
}

const settings = (given: Environment): Record<string, string> => serviceSettings(parts, given)

test('without the user’s own settings, all external systems are the sandbox’s', () => {
  assert.deepEqual(settings({ PATH: '/bin' }), {
    DATA_DIR: '/data',
    DATABASE_URL: 'postgres://db.example.net/zonewright',
    HTTP_LISTEN: '127.0.0.1:8080',
    PRIMARY_LISTEN: '127.0.0.1:5300',
    DOOR_LISTEN: '127.0.0.1:5305',
    NAMESERVERS: parts.nameservers,
    VERIFICATION_RESOLVER: '127.0.0.1:5311',
    ALIAS_RESOLVER: '127.0.0.1:5311',
    DELEGATION_RESOLVER: '127.0.0.1:5310',
    RDAP_BOOTSTRAP: 'http://127.0.0.1:8083/rdap/dns.json',
    RESOLVERS: '127.0.0.1:5311',
    WEBHOOK_TRUSTED_TARGETS: '127.0.0.1:8443',
    WEBHOOK_CA_FILE: '/data/receiver/ca.pem',
    DASHBOARD_DIR: '/dashboard',
    REGISTRIES: '/data/registries.json',
    SMTP_URL: 'smtp://127.0.0.1:2525',
    MAIL_FROM: 'Zonewright <support@zonewright.test>',
    PAYMENTS: 'sandbox',
    PAYSTACK_URL: 'http://127.0.0.1:8084',
  })
})

test('the sandbox’s receiver is trusted in addition to configured ones', () => {
  for (const [given, expected] of [
    ['127.0.0.1:9443', '127.0.0.1:9443,127.0.0.1:8443'],
    ['10.0.0.1:443, [::1]:9443', '10.0.0.1:443, [::1]:9443,127.0.0.1:8443'],
    ['', '127.0.0.1:8443'],
  ] as const)
    assert.equal(settings({ WEBHOOK_TRUSTED_TARGETS: given })['WEBHOOK_TRUSTED_TARGETS'], expected)
})

test('with another mail server no email comes from the sandbox’s address', () => {
  const mail = (given: Environment) => [settings(given)['SMTP_URL'], settings(given)['MAIL_FROM']]
  assert.deepEqual(mail({ SMTP_URL: 'smtps://mail.example.net' }), ['smtps://mail.example.net', ''])
  assert.deepEqual(mail({ SMTP_URL: 'smtps://mail.example.net', MAIL_FROM: 'DNS <dns@example.net>' }), [
    'smtps://mail.example.net',
    'DNS <dns@example.net>',
  ])
  assert.deepEqual(mail({ MAIL_FROM: 'DNS <dns@example.net>' }), ['smtp://127.0.0.1:2525', 'DNS <dns@example.net>'])
  assert.deepEqual(mail({ SMTP_URL: '' }), ['', ''])
})

test('the key of a real gateway never goes to the sandbox’s', () => {
  const pay = (given: Environment) => [settings(given)['PAYMENTS'], settings(given)['PAYSTACK_URL']]
  assert.deepEqual(pay({ PAYMENTS: 'paystack', PAYSTACK_SECRET_KEY: 'sk_live_1' }), ['paystack', undefined])
  assert.deepEqual(pay({ PAYMENTS: 'paystack', PAYSTACK_URL: 'https://pay.example.net' }), [
    'paystack',
    'https://pay.example.net',
  ])
  assert.deepEqual(pay({ PAYSTACK_URL: 'http://127.0.0.1:9' }), ['sandbox', 'http://127.0.0.1:9'])
})

test('a nameserver’s name without a dot is below zonewright.test; other and invalid entries stay unchanged', () => {
  for (const [given, expected] of [
    ['ns1=127.0.0.1:5301,ns2=127.0.0.1:5302', parts.nameservers],
    ['a.example.net=192.0.2.1:53, b=192.0.2.2:53', 'a.example.net=192.0.2.1:53, b.zonewright.test=192.0.2.2:53'],
    ['a.example.net.=[2001:db8::1]:53', 'a.example.net.=[2001:db8::1]:53'],
    ['nowhere', 'nowhere'],
    ['', ''],
  ] as const)
    assert.equal(withWholeNames(given), expected)
  assert.deepEqual(nameserversIn('nowhere, a.example.net=192.0.2.1:53,=,x='), [
    { name: 'a.example.net', address: '192.0.2.1:53' },
  ])
})
