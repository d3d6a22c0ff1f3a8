import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseProviders, readProviders } from './providers-setting.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-providers-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const secretFile = file('secret', ' s3cret-value \n')
const google = { id: 'google', client_id: 'ours', client_secret_file: secretFile }
const acme = { ...google, id: 'acme', name: 'Acme', issuer: 'https://login.acme.example/realms/a/' }
const common = { clientId: 'ours', clientSecret: 's3cret-value' }

test('Google and GitHub need only an id and a secret, and others a name and an issuer', () => {
  const path = file('providers.json', JSON.stringify({ providers: [google, { ...google, id: 'github' }, acme] }))
  assert.deepEqual(readProviders(path), [
    { id: 'google', name: 'Google', issuer: 'https://accounts.google.com', kind: 'openid', ...common },
    { id: 'github', name: 'GitHub', issuer: 'https://github.com', kind: 'github', ...common },
    { id: 'acme', name: 'Acme', issuer: 'https://login.acme.example/realms/a/', kind: 'openid', ...common },
  ])
  assert.deepEqual(readProviders(''), [])
  assert.deepEqual(parseProviders({ providers: [] }), [])
  for (const issuer of [
    'https://login.acme.example/realms/a',
    'https://login.acme.example',
    'http://127.0.0.1:9000',
    'http://localhost:9000',
    'http://[::1]:9000',
  ])
    assert.equal(parseProviders({ providers: [{ ...acme, issuer }] })[0]?.issuer, issuer)
})

test('faults of the file are reported in one line, without the secret', () => {
  const wrong: readonly (readonly [providers: readonly object[], why: RegExp])[] = [
    [[{ ...google, id: 'Google' }], /^providers\.0\.id: /],
    [[{ ...google, secret: 's3cret-value' }], /^providers\.0: /],
    [[{ ...google, client_id: '' }], /^providers\.0\.client_id: /],
    [
      [{ ...google, client_secret_file: '/nowhere' }],
      /^providers\.google\.client_secret_file: \/nowhere cannot be read: ENOENT/,
    ],
    [[{ ...google, client_secret_file: file('empty', '\n') }], /does not contain one secret/],
    [[{ ...google, client_secret_file: file('two', 's3cret-value\nother') }], /does not contain one secret/],
    [[{ ...google, issuer: 'https://evil.example' }], /^providers\.google\.issuer: is known already/],
    [[{ ...google, id: 'acme' }], /^providers\.acme: needs a name and an issuer/],
    [[{ ...acme, name: '<b>' }], /^providers\.0\.name: /],
    [[{ ...acme, issuer: 'http://login.acme.example' }], /is not an https URL/],
    [[{ ...acme, issuer: 'https://login.acme.example/?a=b' }], /is not an https URL/],
    [[{ ...acme, issuer: 'https://user@login.acme.example' }], /is not an https URL/],
    [[{ ...acme, issuer: 'login.acme.example' }], /is not an https URL/],
    [[google, google], /two providers have the same id/],
    [[acme, { ...acme, id: 'other', name: 'Other' }], /two providers have the same issuer/],
    [[google, { ...acme, name: 'Google' }], /two providers have the same name/],
    [
      [1, 2, 3, 4, 5, 6].map((i) => ({ ...acme, id: `a${i}`, name: `A${i}`, issuer: `https://a${i}.example` })),
      /at most 5/,
    ],
  ]
  for (const [providers, why] of wrong)
    assert.throws(
      () => parseProviders({ providers }),
      ({ message }: Error) => why.test(message) && !message.includes('s3cret-value') && !message.includes('\n'),
      JSON.stringify(providers),
    )
  assert.throws(() => readProviders(file('no.json', 'providers')), /is not JSON$/)
  assert.throws(() => readProviders('/nowhere.json'), /^Error: \/nowhere\.json cannot be read: ENOENT$/)
  assert.throws(() => parseProviders([]), /the file: /)
})
