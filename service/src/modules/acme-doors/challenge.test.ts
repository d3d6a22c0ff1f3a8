import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acmeDnsChallenge, httpreqChallenge, jsonOf, quoted } from './challenge.ts'

test('httpreq sends a record, or in raw mode the parts from which the record is built', () => {
  const fqdn = '_acme-challenge.www.example.com.'
  assert.deepEqual(httpreqChallenge({ fqdn, value: 'x', more: 1 }), { name: fqdn, value: 'x' })
  assert.deepEqual(httpreqChallenge(JSON.stringify({ fqdn, value: 'x' })), { name: fqdn, value: 'x' })
  // The key authorization of RFC 8555 §8.1: its hash is that of `printf %s token.thumbprint | openssl dgst -sha256 -binary | base64`.
  const raw = { domain: 'www.example.com', token: 'token', keyAuth: 'token.thumbprint' }
  const value = '61rBZ_4knHblO0MNoxFsXZ_eTFUHum0B6IVRbhvUn5I'
  assert.deepEqual(httpreqChallenge(raw), { name: '_acme-challenge.www.example.com', value })
  assert.equal(httpreqChallenge({ ...raw, domain: '*.example.com' }).name, '_acme-challenge.example.com')
})

test('an error names the missing member', () => {
  const cases: [body: unknown, paths: string[]][] = [
    [{}, ['/fqdn', '/value']],
    [{ fqdn: 'a.example.com' }, ['/value']],
    [{ fqdn: '', value: 'x' }, ['/fqdn']],
    [{ fqdn: 1, value: ['x'] }, ['/fqdn', '/value']],
    [{ domain: 'example.com' }, ['/keyAuth']],
    [{ domain: '', keyAuth: 'x' }, ['/domain']],
  ]
  for (const [body, paths] of cases)
    assert.throws(
      () => httpreqChallenge(body),
      (error: { details: { path: string }[] }) => {
        assert.deepEqual(
          error.details.map(({ path }) => path),
          paths,
        )
        return true
      },
    )
  for (const body of [undefined, '', 'x', '[]', [], 'null', null, '{', 7])
    assert.throws(() => jsonOf(body), { code: 'malformed_request' }, String(body))
})

const txt = 'x'.repeat(43)

test('acme-dns sends a subdomain and a value; member names are case-insensitive', () => {
  const expected = { name: '_acme-challenge.www.example.com', value: txt }
  for (const body of [
    { subdomain: 'www.example.com', txt },
    { SubDomain: 'www.example.com', Txt: txt },
    { subdomain: '_acme-challenge.www.example.com', txt },
    JSON.stringify({ subdomain: 'www.example.com', txt, allowfrom: [] }),
  ])
    assert.deepEqual(acmeDnsChallenge(body), expected)
  const bad: [body: object, code: string][] = [
    [{ txt }, 'bad_subdomain'],
    [{ subdomain: '', txt }, 'bad_subdomain'],
    [{ subdomain: 'a.example.com' }, 'bad_txt'],
    [{ subdomain: 'a.example.com', txt: 'short' }, 'bad_txt'],
    [{ subdomain: 'a.example.com', txt: `${txt}x` }, 'bad_txt'],
    [{ subdomain: 'a.example.com', txt: `${txt.slice(1)}"` }, 'bad_txt'],
    [{ subdomain: 'a.example.com', txt: 7 }, 'bad_txt'],
  ]
  for (const [body, code] of bad)
    assert.throws(
      () => acmeDnsChallenge(body),
      (error: { details: { code: string }[] }) => error.details[0]?.code === code,
    )
})

test('any value becomes a single text', () => {
  assert.equal(quoted('plain'), '"plain"')
  assert.equal(quoted('a"b\\c'), '"a\\"b\\\\c"')
})
