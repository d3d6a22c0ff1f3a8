import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as messages from './index.ts'
import { compose, type Message, signedBy } from './message.ts'
import { durationText } from './times.ts'

const site = 'https://dns.example.net'
const at = new Date('2026-11-20T14:05:00Z')
const from = '192.0.2.7'
const address = 'ada@example.net'
const link = `${site}/app/confirm?token=abc&x=1`

/** A key in which every member is set. */
const keyOf = (text: (value: string) => string): messages.ToldKey => ({
  name: text('deploy'),
  hint: 'x9Yz',
  zones: [
    { name: 'example.com', kind: 'zone' },
    { name: text('example.net'), kind: 'domain' },
  ],
  permissions: ['records:read', 'records:write'],
  limits: [{ zone: text('example.com'), names: ['home', '*.lan'], types: ['A', 'AAAA'] }],
  addresses: ['203.0.113.9/32'],
  expiresAt: at,
})

/** Every message. `text` converts each value that is not ours. */
const all = (text: (value: string) => string): { readonly [name: string]: Message } => ({
  'account-deletion': messages.accountDeletion({ address: text(address), erasedAt: at }),
  'alias-failing': messages.aliasFailing({
    site,
    target: text('www.example.net'),
    error: 'no_address',
    failingSince: at,
    names: [text('example.com')],
  }),
  'already-registered': messages.alreadyRegistered({ site, address: text(address) }),
  'card-expiring': messages.cardExpiring({
    site,
    card: text('Visa ending in 4081'),
    month: 8,
    year: 2027,
    domains: [text('shop.test'), 'cakes.test'],
    others: 3,
  }),
  'confirm-new-address': messages.confirmNewAddress({ address: text(address), link, validForS: 86_400 }),
  'confirm-notifications': messages.confirmNotifications({ account: text(address), link, validForS: 604_800 }),
  'domain-expired': messages.domainExpired({ site, domain: text('shop.test'), expiresAt: at }),
  'domain-expiring': messages.domainExpiring({
    site,
    domain: 'shop.test',
    expiresAt: at,
    obstacle: text('There is an open order.'),
  }),
  'domain-gone': messages.domainGone({ site, domain: text('shop.test'), why: 'deleted' }),
  'domain-in-redemption': messages.domainInRedemption({ site, domain: text('shop.test') }),
  'domain-invitation': messages.domainInvitation({
    site,
    domain: text('shop.test'),
    inviter: text(address),
    email: 'guest@example.net',
  }),
  'domain-renewing': messages.domainRenewing({ site, domain: text('shop.test'), expiresAt: at, orderId: 'ord_1' }),
  'email-changed': messages.emailChanged({ before: address, after: text('ada@example.org'), at, from }),
  'endpoint-disabled': messages.endpointDisabled({
    site,
    url: text('https://hooks.example.net:8443/zones'),
    reason: 'Every delivery failed for 3 days.',
  }),
  'endpoint-failing': messages.endpointFailing({ site, url: text('https://hooks.example.net:8443/zones'), since: at }),
  'finish-sign-up': messages.finishSignUp({ address: text(address), link, validForS: 86_400 }),
  'guesses-failed': messages.guessesFailed({ site, address: text(address), what: 'password', count: 10, at, from }),
  'key-created': messages.keyCreated({ site, key: keyOf(text), at, from }),
  'key-expiring': messages.keyExpiring({ site, key: { name: text('deploy'), hint: 'x9Yz', expiresAt: at }, days: 14 }),
  'key-narrowed': messages.keyNarrowed({ site, key: keyOf(text), at, from }),
  'key-sent-in-clear': messages.keySentInClear({ site, key: { id: 'key_1', name: text('router') }, at, from }),
  'key-tsig-created': messages.keyTsigCreated({ site, key: keyOf(text), at, from }),
  'key-unused': messages.keyUnused({
    site,
    key: { name: text('deploy'), hint: 'x9Yz', createdAt: at, lastUsedAt: null },
    days: 90,
  }),
  'notification-address-added': messages.notificationAddressAdded({
    site,
    address: text('ops@example.net'),
    topics: ['zones', 'domains'],
    at,
  }),
  'passkey-changed': messages.passkeyChanged({ site, name: text('Phone'), isAdded: true, at, from }),
  'password-changed': messages.passwordChanged({ site, address: text(address), at, from }),
  'pay-link': messages.payLinkMail({ order: text('shop.test'), amount: '₦12,500.00', link, validForS: 604_800 }),
  'provider-changed': messages.providerChanged({
    site,
    name: text('Google'),
    email: text(address),
    isLinked: true,
    at,
    from,
  }),
  'records-removed': messages.recordsRemoved({
    site,
    zones: [
      { zone: 'example.com', version: 7, rrsetCount: 9, rrsets: [{ name: text('example.com'), type: 'DNSKEY' }] },
    ],
    signing: ['DNSKEY'],
    invalid: [],
  }),
  'renewal-to-pay': messages.renewalToPay({
    domain: 'shop.test',
    expiresAt: at,
    amount: text('₦14,000.00'),
    link,
    validForS: 604_800,
    why: text('the bank declined your saved card, Visa ending in 4081: Insufficient Funds'),
  }),
  'reset-password': messages.resetPassword({ address: text(address), link, validForS: 3_600 }),
  'sample-mail': messages.testMail({ site: `${site}/` }),
  'signed-in': messages.signedIn({ site, address, at, from, device: text('Firefox 140 on Linux') }),
  'transfer-requested': messages.transferRequested({ site, domain: 'shop.test', by: text('rival'), actBy: at }),
  'two-factor-changed': messages.twoFactorChanged({ site, isOn: false, at, from: text(from) }),
  'zone-contested': messages.zoneContested({
    site,
    zone: 'example.com',
    endsAt: at,
    txtName: '_zonewright-challenge.example.com',
    txtValue: 'zonewright-verification=abc',
  }),
  'zone-invitation': messages.zoneInvitation({
    site,
    zone: text('example.com'),
    inviter: text(address),
    email: 'guest@example.net',
  }),
  'zone-live': messages.zoneLive({ site, zone: text('example.com') }),
  'zone-lost': messages.zoneLost({ site, zone: text('example.com'), why: 'proved' }),
  'zone-proved-elsewhere': messages.zoneProvedElsewhere({ site, zone: text('example.com') }),
  'zones-lost-below': messages.zonesLostBelow({
    site,
    above: text('example.com'),
    zones: ['a.example.com', text('b.example.com')],
  }),
})

const plain = all((value) => value)
const hostile = all(
  (value) => `"'><script>alert(1)</script>\r\nBcc: spy@example.net\n\n\u2028\u202e${value}&amp;${'x'.repeat(2_000)}`,
)

test('an email about a lost domain or zone gives the reason, also for the other reasons', () => {
  const gone = messages.domainGone({ site, domain: 'shop.test', why: 'transferred' }).text
  assert.match(gone, /^The domain shop\.test was transferred to another registrar\./m)
  const lost = messages.zoneLost({ site, zone: 'example.com', why: 'registered' }).text
  assert.match(lost, /^Another account has registered the domain example\.com here, or transferred it to us\./m)
})

test('an email about a domain that auto-renew cannot renew asks for a renewal, not for auto-renew', () => {
  const { text } = messages.domainExpiring({
    site,
    domain: 'shop.test',
    expiresAt: at,
    obstacle: 'There is an open order.',
  })
  assert.doesNotMatch(text, /turn on auto-renew/)
  assert.match(messages.domainExpiring({ site, domain: 'shop.test', expiresAt: at }).text, /or turn on auto-renew/)
})

test('these tests cover every message in the folder', () => {
  const parts = ['escape-html.ts', 'index.ts', 'key-facts.ts', 'lists.ts', 'message.ts', 'pages.ts', 'times.ts']
  const files = readdirSync(new URL('.', import.meta.url)).filter(
    (name) => !name.endsWith('.test.ts') && !parts.includes(name),
  )
  assert.deepEqual(files.map((name) => name.replace(/\.ts$/, '')).sort(), Object.keys(plain))
  assert.equal(new Set(Object.values(plain).map(({ kind }) => kind)).size, files.length, 'each has a kind of its own')
})

for (const name of Object.keys(plain)) {
  const { subject, text, html } = plain[name] as Message
  const bad = hostile[name] as Message

  test(`${name}: the subject is one line about the topic`, () => {
    for (const each of [subject, bad.subject]) {
      assert.doesNotMatch(each, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u)
      assert.ok(each.length > 10 && each.length <= 120, each)
    }
  })

  test(`${name}: customers’ text stays text in the HTML and has a maximum length`, () => {
    assert.doesNotMatch(bad.html, /<script|"'>/)
    assert.deepEqual(tagsOf(bad.html), tagsOf(html))
    assert.doesNotMatch(bad.text, /^Bcc:/m)
    assert.doesNotMatch(bad.text, /[\r\u2028\u202e]/)
    assert.ok(bad.html.length < 12_000, `${bad.html.length}`)
  })

  test(`${name}: text and HTML have the same content and the same links`, () => {
    assert.deepEqual(wordsOf(html), wordsOf(text))
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.replaceAll('&amp;', '&'))
    assert.deepEqual(links, text.match(/https:\/\/dns\.example\.net\S*/g) ?? [])
  })
}

test('links to the documentation lead to an existing page and heading, and expiry emails link to the renewal', () => {
  const links = Object.values(plain).flatMap(({ text }) => text.match(/https:\/\/dns\.example\.net\/docs\/\S*/g) ?? [])
  assert.ok(links.length > 0)
  for (const link of links) {
    const { pathname, hash } = new URL(link)
    const page = pathname.replace('/docs/', '')
    const path = page === 'webhooks' ? '../../../../../docs/webhooks.md' : `../../../../../docs/customers/${page}.md`
    const text = readFileSync(new URL(path, import.meta.url), 'utf8')
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    )
    assert.ok(hash === '' || headings.includes(hash.slice(1)), link)
  }
  for (const name of ['domain-expiring', 'domain-expired'])
    assert.match(plain[name]?.text ?? '', /\/app\/buy\/shop\.test\?kind=renew/)
})

test('a message ends with the name of the service', () => {
  const { text, html } = signedBy(plain['key-created'] as Message, 'Ngozi & Co')
  assert.ok(text.endsWith('\n\n-- \nNgozi & Co\n'))
  assert.match(html, /<p>Ngozi &amp; Co<\/p>\n<\/body>/)
  assert.doesNotMatch(text + html, /Zonewright/)
})

/** The names of the tags of an HTML text, in order. */
function tagsOf(html: string): string[] {
  return [...html.matchAll(/<\/?[a-z!]+/g)].map(([tag]) => tag)
}

/** The words that a person reads, without the URLs of links, which only the text contains. */
function wordsOf(text: string): string[] {
  const visible = text
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
  return (
    visible
      .replace(/^-- $/m, '')
      .replaceAll(/:\nhttps:\S*/g, '')
      .match(/\S+/g) ?? []
  )
}

test('finish-sign-up: contains the link and its lifetime, and says that nothing happens without it', () => {
  const { text, usefulForS } = plain['finish-sign-up'] as Message
  assert.match(text, /Create your account:\nhttps:\/\/dns\.example\.net\/app\/confirm\?token=abc&x=1\n/)
  assert.match(text, /The link can be used once and is valid for 1 day\./)
  assert.match(text, /No account is created/)
  assert.equal(usefulForS, 86_400)
})

test('guesses-failed: says how many passwords or codes, when, from where, and what to do', () => {
  const { subject, text } = plain['guesses-failed'] as Message
  assert.equal(subject, '10 wrong passwords for your account')
  assert.match(text, /^In the past hour, 10 wrong passwords were entered for the account of ada@example\.net\./)
  assert.match(text, /Latest attempt: 20 November 2026, 14:05 UTC\nFrom: 192\.0\.2\.7\n/)
  assert.match(text, /https:\/\/dns\.example\.net\/app\/forgot-password\n/)
  const codes = messages.guessesFailed({ site, address, what: 'code', count: 5, at, from })
  assert.equal(codes.subject, '5 wrong codes for your account')
  assert.match(codes.text, /5 wrong two-factor codes were entered/)
  assert.match(codes.text, /Choose a new password now\. That also ends all sessions\./)
})

test('confirm-new-address: contains the link and its lifetime, and says that nothing changes before', () => {
  const { text, usefulForS } = plain['confirm-new-address'] as Message
  assert.match(text, /Confirm the new address:\nhttps:\/\/dns\.example\.net\/app\/confirm\?token=abc&x=1\n/)
  assert.match(text, /keeps its current address/)
  assert.equal(usefulForS, 86_400)
})

test('email-changed: contains both addresses, the time and the source', () => {
  const { text } = plain['email-changed'] as Message
  assert.match(text, /is now ada@example\.org, instead of ada@example\.net/)
  assert.match(text, /From: 192\.0\.2\.7/)
})

test('reset-password: contains the link and its lifetime, and says that no action is required', () => {
  const { text, usefulForS } = plain['reset-password'] as Message
  assert.match(text, /requested a new password for the account of ada@example\.net\./)
  assert.match(text, /The link can be used once and is valid for 1 hour\./)
  assert.match(text, /Your password does not change/)
  assert.equal(usefulForS, 3_600)
})

test('password-changed: says when, from where, and what to do', () => {
  const { text } = plain['password-changed'] as Message
  assert.match(text, /When: 20 November 2026, 14:05 UTC\n/)
  assert.match(text, /From: 192\.0\.2\.7/)
  assert.match(text, /https:\/\/dns\.example\.net\/app\/forgot-password\n/)
})

test('two-factor-changed: distinguishes turning on and turning off', () => {
  const on = messages.twoFactorChanged({ site, isOn: true, at, from })
  assert.equal(on.subject, 'Two-factor authentication was turned on')
  assert.match(on.text, /Keep the backup codes/)
  const off = plain['two-factor-changed'] as Message
  assert.equal(off.subject, 'Two-factor authentication was turned off')
  assert.match(off.text, /only by its password/)
})

test('signed-in: says when, from where, with which browser, and what to do', () => {
  const { text } = plain['signed-in'] as Message
  assert.match(text, /When: 20 November 2026, 14:05 UTC\nFrom: 192\.0\.2\.7\nBrowser: Firefox 140 on Linux\n/)
  assert.match(text, /choose a new password now/)
  const unnamed = messages.signedIn({ site, address, at, from, device: '' })
  assert.match(unnamed.text, /Browser: unknown\n/)
})

test('key-created: contains the name, scope, permissions and expiry, and only the last characters of the secret', () => {
  const { text, subject } = plain['key-created'] as Message
  assert.equal(subject, 'API key “deploy” was created')
  assert.match(
    text,
    /Name: deploy\nEnds in: x9Yz\nCovers: example\.com \(zone\), example\.net \(domain\)\nPermissions: records:read, records:write\nLimited to: home, \*\.lan in example\.com \(A, AAAA\)\nUsable from: 203\.0\.113\.9\/32\nExpires: 20 November 2026, 14:05 UTC\n/,
  )
  const key = { name: 'k', hint: 'x9Yz', permissions: ['records:read'], limits: null, addresses: null, expiresAt: null }
  const forAll = messages.keyCreated({ site, key: { ...key, zones: 'all' }, at, from }).text
  assert.match(forAll, /Covers: all zones and domains of your account, including future ones\n.*\nExpires: never\n/)
  const zones = Array.from({ length: 13 }, (_, i) => ({ name: `z${i}.example`, kind: 'zone' }))
  assert.match(
    messages.keyCreated({ site, key: { ...key, zones }, at, from }).text,
    /z9\.example \(zone\) and 3 more\n/,
  )
})

test('key-tsig-created: says what programs can do with the secret, without the secret itself', () => {
  const { text, subject } = plain['key-tsig-created'] as Message
  assert.match(subject, /^A TSIG secret of API key “deploy” was created$/)
  assert.match(text, /signed DNS updates/)
  assert.match(text, /TSIG secret created/)
})

test('key-narrowed: says what the key may still do', () => {
  const { text, subject } = plain['key-narrowed'] as Message
  assert.equal(subject, 'API key “deploy” was restricted')
  assert.match(text, /can now do only what is listed here/)
  assert.match(text, /Permissions: records:read, records:write\nLimited to: home, .*\n/)
  assert.match(text, /Restricted: 20 November 2026, 14:05 UTC, from 192\.0\.2\.7\n/)
})

test('key-expiring: says in how many days, and when', () => {
  const { subject, text } = plain['key-expiring'] as Message
  assert.equal(subject, 'API key “deploy” expires in 14 days')
  assert.match(text, /Expires: 20 November 2026, 14:05 UTC/)
  const last = messages.keyExpiring({ site, key: { name: 'k', hint: 'x9Yz', expiresAt: at }, days: 1 })
  assert.equal(last.subject, 'API key “k” expires in 1 day')
})

test('key-unused: says since when', () => {
  const { subject, text } = plain['key-unused'] as Message
  assert.equal(subject, 'API key “deploy” has not been used for 90 days')
  assert.match(text, /Created: 20 November 2026\nLast used: never\n/)
  const key = { name: 'k', hint: 'x9Yz', createdAt: at, lastUsedAt: new Date('2026-12-01T23:59:59Z') }
  assert.match(messages.keyUnused({ site, key, days: 90 }).text, /Last used: 1 December 2026\n/)
})

test('endpoint-disabled: says which endpoint, why, and what to do', () => {
  const { subject, text } = plain['endpoint-disabled'] as Message
  assert.equal(subject, 'Webhook endpoint disabled: hooks.example.net:8443')
  assert.match(text, /URL: https:\/\/hooks\.example\.net:8443\/zones\nReason: Every delivery failed for 3 days\.\n/)
  assert.match(text, /keep events for 30 days/)
})

test('endpoint-failing: says which endpoint, since when, and what happens next', () => {
  const { subject, text } = plain['endpoint-failing'] as Message
  assert.equal(subject, 'Webhook deliveries are failing: hooks.example.net:8443')
  assert.match(text, /URL: https:\/\/hooks\.example\.net:8443\/zones\nFailing since: 20 November 2026, 14:05 UTC\n/)
  assert.match(text, /After 3 days without a successful delivery, the endpoint is disabled/)
})

test('account-deletion: says until when it can be undone, and how', () => {
  const { text } = plain['account-deletion'] as Message
  assert.match(text, /stay live until 20 November 2026, 14:05 UTC/)
  assert.match(text, /To keep the account, reply to this email before then\./)
})

test('zone-invitation: says who invites to what, and where to accept', () => {
  const { text, subject } = plain['zone-invitation'] as Message
  assert.equal(subject, 'Invitation to manage example.com')
  assert.match(text, /^ada@example\.net invites you to manage the zone example\.com\./)
  assert.match(text, /https:\/\/dns\.example\.net\/app\/zones\?invited=guest%40example\.net\n/)
})

test('zones-lost-below: says which zones, and below which name', () => {
  const { subject, text } = plain['zones-lost-below'] as Message
  assert.equal(subject, '2 zones under example.com are no longer yours')
  assert.match(text, /Zones: a\.example\.com, b\.example\.com\n/)
  const one = messages.zonesLostBelow({ site, above: 'example.com', zones: ['www.example.com'] })
  assert.equal(one.subject, 'www.example.com is no longer your zone')
})

test('an email about removed records names each record set with its version and the reason', () => {
  const { subject, text } = plain['records-removed'] as Message
  assert.equal(subject, 'We removed records from example.com')
  assert.match(text, /^example\.com: example\.com DNSKEY and 8 more record sets \(version 7\)$/m)
  assert.match(text, /DNSKEY: the signer of a zone creates these records\./)
  assert.doesNotMatch(text, /not valid/)
  const zones = Array.from({ length: 22 }, (_, n) => ({
    zone: `z${n}.example`,
    version: 1,
    rrsetCount: 1,
    rrsets: [{ name: `k.z${n}.example`, type: 'IPSECKEY' }],
  }))
  const many = messages.recordsRemoved({ site, zones, signing: [], invalid: ['IPSECKEY'] })
  assert.equal(many.subject, 'We removed records from 22 of your zones')
  assert.match(many.text, /^z19\.example: k\.z19\.example IPSECKEY \(version 1\)\nAnd: 2 more zones$/m)
  assert.match(many.text, /IPSECKEY: the data was not valid for the record type\./)
  assert.doesNotMatch(many.text, /signer/)
  const twoEach = zones.slice(0, 21).map((zone) => ({ ...zone, rrsetCount: 2 }))
  const { text: oneMore } = messages.recordsRemoved({ site, zones: twoEach, signing: [], invalid: ['IPSECKEY'] })
  assert.match(oneMore, /^z19\.example: .* IPSECKEY and one more record set \(version 1\)\nAnd: one more zone$/m)
})

test('an email can link only to http and https URLs', () => {
  for (const href of ['javascript:alert(1)', 'data:text/html,x', '/app/account', ''])
    assert.throws(() => compose({ kind: 'signed_in', subject: 'x', blocks: [{ label: 'x', href }] }), /http and https/)
})

test('durations are in the unit that a person would choose', () => {
  const told = [1, 60, 90, 1_800, 3_600, 7_200, 86_400, 90_000, 604_800].map(durationText)
  assert.deepEqual(told, [
    '1 second',
    '1 minute',
    '90 seconds',
    '30 minutes',
    '1 hour',
    '2 hours',
    '1 day',
    '25 hours',
    '7 days',
  ])
})

test('the email about a key that expires names the zones whose secondaries use it', () => {
  const key = { name: 'k', hint: 'x9Yz', expiresAt: at }
  const emailFor = (secondaryZones: string[]) =>
    messages.keyExpiring({ site, key: { ...key, secondaryZones }, days: 14 })
  assert.doesNotMatch(emailFor([]).text, /[Ss]econdaries/)
  assert.match(
    emailFor(['a.example', 'b.example']).text.replaceAll(/\s+/g, ' '),
    /the key: a\.example, b\.example\. When the key expires/,
  )
  const many = Array.from({ length: 12 }, (_, i) => `z${i}.example`)
  assert.match(emailFor(many).text.replaceAll(/\s+/g, ' '), /z9\.example and 2 more\. When the key expires/)
})
