import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#platform/errors.ts'
import type { Looked } from '#ports/resolver.ts'
import { TestProvider } from '#testing/domain-connect/test-provider.ts'
import { parseConnectRequest } from './connect-request.ts'
import { publicKeyOf, verifySignature } from './signature.ts'

const provider = new TestProvider('p.example', 'site')
const stranger = new TestProvider('p.example', 'site')
const query = 'domain=example.com&IP=192.0.2.1&text=a%2Bb&redirect_uri=https%3A%2F%2Fp.example%2Fdone'

/** The code of a link's refusal; undefined: its signature is right. */
async function verdictOf(target: string, looked: Looked = provider.texts): Promise<string | undefined> {
  const asked: string[] = []
  const texts = async (name: string): Promise<Looked> => {
    asked.push(name)
    return name === '_dck1.keys.example' ? looked : []
  }
  try {
    await verifySignature(parseConnectRequest(target), 'keys.example', { texts })
    assert.deepEqual(asked, ['_dck1.keys.example'])
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error.details[0]?.code ?? error.code
  }
}

test('accepts a link that the service provider signed, with sig and key anywhere in the query', async () => {
  assert.equal(await verdictOf(provider.signed(query)), undefined)
  const sig = encodeURIComponent(provider.signature(query))
  const [first, ...rest] = query.split('&')
  assert.equal(await verdictOf(provider.link(`sig=${sig}&${first}&key=_dck1&${rest.join('&')}`)), undefined)
  // The signature contains a + that was not percent-encoded.
  assert.equal(await verdictOf(provider.link(`${query}&sig=${provider.signature(query)}&key=_dck1`)), undefined)
})

test('refuses a forged link', async () => {
  for (const sent of [
    query.replace('192.0.2.1', '192.0.2.2'),
    query.replace('example.com', 'example.org'),
    query.replace('%2B', '%2b'),
    query.replace('%2Fdone', '%2Fdone2'),
    query.split('&').reverse().join('&'),
    `${query}&host=www`,
    `${query}&groupId=a`,
    query.replace('&text=a%2Bb', ''),
  ])
    assert.equal(await verdictOf(provider.signed(query, { sent })), 'bad_signature', sent)
  assert.equal(await verdictOf(stranger.signed(query)), 'bad_signature')
  for (const sig of ['', 'AAAA', 'x', '%00', 'a'.repeat(3_000), '====', encodeURIComponent('=A=A')])
    assert.equal(await verdictOf(provider.link(`${query}&sig=${sig}&key=_dck1`)), 'bad_signature', sig)
})

test('refuses a link without a signature or without the name of its key', async () => {
  assert.equal(await verdictOf(provider.link(query)), 'unsigned')
  assert.equal(await verdictOf(provider.link(`${query}&sig=AAAA`)), 'unsigned')
  assert.equal(await verdictOf(provider.link(`${query}&key=_dck1`)), 'unsigned')
})

test('a key is one label below the domain of the template', async () => {
  for (const key of ['_dck1.evil', 'evil.example.', '', '.', '*', '_dck1%2e', 'a b', '-a', 'a'.repeat(64), '_dck2'])
    assert.equal(await verdictOf(provider.signed(query, { key })), 'bad_signature', key)
  assert.equal(await verdictOf(provider.signed(query, { key: '_DCK1' })), undefined)
})

test('a key that cannot be looked up now does not count as a forgery', async () => {
  assert.equal(await verdictOf(provider.signed(query), 'unknown'), 'unavailable')
})

test('joins the parts of a key in the order of p, and ignores other records', () => {
  assert.ok(publicKeyOf(provider.texts))
  assert.ok(publicKeyOf(['v=spf1 -all', '', 'p=x,d=y', ...provider.texts]))
  assert.ok(publicKeyOf(provider.texts.map((text) => text.replace('a=RS256,t=x509,', ''))))
  assert.ok(publicKeyOf(provider.texts.map((text) => text.replaceAll(',', ' , '))))
})

test('ignores a key that is incomplete, ambiguous, weak or of another kind', () => {
  const [first = '', ...rest] = provider.texts
  const bad: string[][] = [
    [],
    rest,
    [first, first, ...rest],
    [first.replace('RS256', 'none'), ...rest],
    [first.replace('RS256', 'HS256'), ...rest],
    [first.replace('x509', 'jwk'), ...rest],
    [...provider.texts, ...stranger.texts],
    Array.from({ length: 21 }, (_, i) => `p=${i},d=AAAA`),
    ['p=1,d=AAAA'],
    ['p=1,d=!!!!'],
    new TestProvider('p.example', 'site', 1_024).texts,
  ]
  for (const texts of bad) assert.equal(publicKeyOf(texts), undefined, texts.join(' | '))
  // Ed25519, from RFC 8410 §10.1.
  assert.equal(publicKeyOf(['p=1,d=MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=']), undefined)
})
