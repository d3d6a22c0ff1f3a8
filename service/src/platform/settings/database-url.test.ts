import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { rootCertificates } from 'node:tls'
import fc from 'fast-check'
import { hostText, parseDatabaseUrl } from './database-url.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-database-url-'))
after(() => rmSync(folder, { recursive: true }))
const kept = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const certificate = kept('ca.pem', rootCertificates[0] ?? '')
const garbage = kept('garbage.pem', 'no certificate')
const damaged = kept('damaged.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')

const hostsIn = (text: string): string[] => parseDatabaseUrl(text).hosts.map(hostText)
const at = (text: string): string => `postgres://app:s3cr3t@${text}`

test('one host, several, a folder of a Unix socket, IPv6, and hosts in parameters', () => {
  assert.deepEqual(parseDatabaseUrl('postgresql://app:p%23w@db.example.net/zonewright'), {
    hosts: [{ host: 'db.example.net', port: 5432 }],
    connection: { database: 'zonewright', user: 'app', password: 'p#w' },
  })
  assert.deepEqual(hostsIn(at('h1:5432,h2:5433,[2001:db8::1],192.0.2.1:6000/db?target_session_attrs=read-write')), [
    'h1:5432',
    'h2:5433',
    '[2001:db8::1]:5432',
    '192.0.2.1:6000',
  ])
  assert.deepEqual(hostsIn('postgres://app@%2Frun%2Fpostgresql:5433/db'), ['/run/postgresql:5433'])
  assert.deepEqual(hostsIn('postgres:///db?host=/run/postgresql'), ['/run/postgresql:5432'])
  assert.deepEqual(hostsIn('postgres:///db?host=h1,h2&port=5433,5434'), ['h1:5433', 'h2:5434'])
  assert.deepEqual(hostsIn('postgres:///db?host=h1,h2&port=5433'), ['h1:5433', 'h2:5433'])
  assert.deepEqual(hostsIn(' postgres://h/db\n'), ['h:5432'])
})

test('TLS is verified unless sslmode says no-verify, and files are read', () => {
  const sslOf = (query: string) => parseDatabaseUrl(`${at('h/db')}${query}`).connection.ssl
  assert.equal(sslOf(''), undefined)
  assert.equal(sslOf('?sslmode=disable'), false)
  assert.deepEqual(sslOf('?sslmode=no-verify'), { rejectUnauthorized: false })
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    assert.deepEqual(sslOf(`?sslmode=${mode}`), { rejectUnauthorized: true })
  assert.deepEqual(sslOf(`?sslrootcert=${certificate}`), { ca: rootCertificates[0], rejectUnauthorized: true })
})

/** The text, and what its sentence says. */
const faults: readonly (readonly [text: string, says: RegExp])[] = [
  ['', /^is set, but empty/],
  [' \n', /^is set, but empty/],
  ['app:s3cr3t@h/db', /^must begin with postgres:\/\/ or postgresql:\/\//],
  ['h:5432/db', /^must begin with/],
  ['/run/postgresql db', /^must begin with/],
  ['mysql://app:s3cr3t@h/db', /^must begin with/],
  ['postgres:/app:s3cr3t@h/db', /^must begin with/],
  ['postgres://app:s3c#r3t@h/db', /^contains a #; write it as %23/],
  ['postgres://app:s3cr3t@h/db#s3cr3t', /^contains a #/],
  ['postgres://app:s3c/r3t@h/db', /^contains a \/ or \? in the user name or password/],
  ['postgres://app:s3c?r3t@h/db', /^contains a \/ or \? in the user name or password/],
  ['postgres://app:s3c@r3t@h/db', /^contains more than one @; write it as %40/],
  ['postgres://app:s3c%r3t@h/db', /^contains a % without two hexadecimal digits; write it as %25/],
  ['postgres://app:s3c%ffr3t@h/db', /^contains bytes after % that are not UTF-8/],
  ['postgres://app:s3c r3t@h/db', /^contains a space or a control character/],
  ['postgres://app:s3cr3t/db', /^has a port that is not a number from 1 to 65535/],
  [at('/db'), /^has no host, or an empty one/],
  ['postgres:///db', /^has no host/],
  ['postgres://', /^has no host/],
  [at(':5432/db'), /^has no host/],
  [at('h1,,h2/db'), /^has no host, or an empty one in its list/],
  [at('h1,/db'), /^has no host, or an empty one in its list/],
  ...['0', '65536', '99999', '-1', '5432x', '5 432', '', '5432:1'].map(
    (port) => [at(`h:${port}/db`), /^(has a port|contains a space)/] as const,
  ),
  [at('h1:5432,h2:0/db'), /^has a port/],
  [at('2001:db8::1/db'), /^has a port/],
  [at('[h]/db'), /^has a host in brackets that is not an IPv6 address/],
  [at('h[1]/db'), /^has a host that is not host:port/],
  [at('h|1/db'), /^has a host that is not a name/],
  [at('h'), /^must name one database/],
  [at('h/'), /^must name one database/],
  [at('h/db/more'), /^must name one database/],
  [at('h/db?sslmoed=require'), /^has the parameter sslmoed that is not supported/],
  [at('h/db?application_name=x'), /^has the parameter application_name that is not supported/],
  [at('h/db?options=-csearch_path=x'), /^has the parameter options that is not supported/],
  [at('h/db?s3cr3t%20s3cr3t=1'), /^has a parameter that is not supported/],
  [at('h/db?sslmode=prefer'), /^has an sslmode that is not one of/],
  [at('h/db?target_session_attrs=any'), /^has a target_session_attrs that is not read-write/],
  [at('h/db?host=h2'), /^names hosts both before the database and in the parameter host/],
  [at('h/db?port=5433'), /^has the parameter port without the parameter host/],
  ['postgres:///db?host=h1,h2,h3&port=1,2', /^has another number of ports than of hosts/],
  [at('h/db?sslrootcert=/nowhere/ca.pem'), /^has an sslrootcert that cannot be used: \/nowhere\/ca\.pem: ENOENT/],
  [at(`h/db?sslrootcert=${folder}`), /^has an sslrootcert that cannot be used: .*: EISDIR/],
  [at(`h/db?sslrootcert=${garbage}`), /^has an sslrootcert that cannot be used: .*: it holds nothing in PEM/],
  [at(`h/db?sslrootcert=${damaged}`), /^has files of certificates or keys that cannot be used/],
  [at(`h/db?sslcert=${certificate}`), /^has only one of sslcert and sslkey/],
  [at(`h/db?sslcert=${certificate}&sslkey=${certificate}`), /^has files of certificates or keys that cannot be used/],
]

test('each fault is one clause that says what is wrong and never holds the password', () => {
  for (const [text, says] of faults)
    assert.throws(
      () => parseDatabaseUrl(text),
      (error: Error) => {
        assert.match(error.message, says, JSON.stringify(text))
        assert.doesNotMatch(error.message, /s3c|r3t|\n/, JSON.stringify(text))
        return true
      },
      JSON.stringify(text),
    )
})

test('any password encoded with encodeURIComponent is read; an unencoded one is never repeated', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (password) => {
      const text = `postgres://app:${encodeURIComponent(password)}@h/db`
      assert.equal(parseDatabaseUrl(text).connection.password, password)
    }),
  )
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...'#/?@%:,&=[] \\')),
      fc.array(fc.constantFrom(...'#/?@%:,&=[] \\')),
      (a, b) => {
        try {
          parseDatabaseUrl(`postgres://app:${a.join('')}Hidden${b.join('')}Secret@h/db`)
        } catch (error) {
          assert.doesNotMatch((error as Error).message, /Hidden|Secret|\n/)
        }
      },
    ),
  )
})
