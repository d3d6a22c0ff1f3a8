import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigurationFault, parseHostPort, readConfiguration, textOf } from './configuration.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-configuration-'))
after(() => rmSync(folder, { recursive: true }))
let folders = 0

const freshFolder = (): string => join(folder, `data-${++folders}`)

function faults(env: Record<string, string>): string[] {
  try {
    readConfiguration({ DATA_DIR: freshFolder(), ...env })
  } catch (error) {
    assert.ok(error instanceof ConfigurationFault)
    return error.message.split('\n')
  }
  return []
}

test('a DNS door with DOOR_KEY needs no SECRET_KEY, and no other process reads DOOR_KEY', () => {
  const [dataDir, key] = [freshFolder(), Buffer.alloc(32, 7)]
  const env = { DATA_DIR: dataDir, DOOR_KEY: key.toString('base64') }
  assert.deepEqual(readConfiguration(env, { isDoor: true }).doorKeys, [key])
  assert.ok(!existsSync(join(dataDir, 'secret.key')))
  assert.equal(readConfiguration(env).doorKeys, undefined)
  assert.ok(existsSync(join(dataDir, 'secret.key')))
  assert.throws(
    () => readConfiguration({ ...env, DOOR_KEY: 'short' }, { isDoor: true }),
    /^ConfigurationFault|DOOR_KEY: must be 32 bytes/,
  )
})

test('DNS over TLS needs both files', () => {
  const file = join(freshFolder(), 'x.pem')
  assert.deepEqual(faults({ DOOR_TLS_CERT: import.meta.filename }), [
    'DOOR_TLS_KEY: is missing; DNS over TLS needs both DOOR_TLS_CERT and DOOR_TLS_KEY',
  ])
  assert.deepEqual(faults({ DOOR_TLS_CERT: file, DOOR_TLS_KEY: import.meta.filename }), [
    `DOOR_TLS_CERT: ${file} cannot be read: ENOENT`,
  ])
})

test('an empty environment is a complete configuration', () => {
  const dataDir = freshFolder()
  const { secretKey, tsigKey, registries, payments, ...rest } = readConfiguration({ DATA_DIR: dataDir })
  assert.deepEqual(rest, {
    dataDir,
    databaseUrl: undefined,
    databaseRole: undefined,
    databaseDoorRole: undefined,
    databaseDoctorRole: undefined,
    databaseDoctorUrl: undefined,
    databaseDiskMetric: undefined,
    httpListen: { host: '127.0.0.1', port: 8080 },
    publicUrl: 'http://127.0.0.1:8080',
    trustedProxies: [],
    connectionsPerAddress: 256,
    httpMemoryBytes: 256 * 1024 * 1024,
    drainMs: 0,
    metricsTargets: [],
    metricsListen: undefined,
    primaryListen: { host: '127.0.0.1', port: 5300 },
    doorListen: { host: '127.0.0.1', port: 5305 },
    doorAddress: { host: '127.0.0.1', port: 5305 },
    doorTls: undefined,
    doorKeys: undefined,
    nameservers: [
      { name: 'ns1.zonewright.test', host: '127.0.0.1', port: 5301 },
      { name: 'ns2.zonewright.test', host: '127.0.0.1', port: 5302 },
    ],
    freeParents: [],
    verificationResolver: [],
    aliasResolver: [],
    delegationResolver: { host: '1.1.1.1', port: 53 },
    rdapBootstrap: 'https://data.iana.org/rdap/dns.json',
    resolvers: ['1.1.1.1', '8.8.8.8', '9.9.9.9'].map((host) => ({ host, port: 53 })),
    webhookTrustedTargets: [],
    webhookResolver: [],
    webhookCaFile: undefined,
    webhookSourceAddresses: [],
    smtp: undefined,
    mailFrom: { name: 'Zonewright', address: 'support@zonewright.test' },
    presetsDir: undefined,
    domainConnect: undefined,
    domainConnectDir: undefined,
    savedCards: true,
    signInProviders: [],
    dashboardDir: undefined,
    brand: { name: 'Zonewright', logo: undefined, color: undefined, links: [] },
    logLevel: 'info',
    secretKeyFallback: undefined,
    tsigKeyFallback: undefined,
  })
  assert.deepEqual(
    registries.flatMap(({ tlds }) => tlds.map(({ tld }) => tld)),
    ['test', 'com.test'],
  )
  assert.equal(payments.url, 'http://127.0.0.1:8084')
  assert.match(payments.secretKey, /^sk_test_[0-9a-f]{40}$/)
  assert.equal(secretKey.length, 32)
  assert.match(tsigKey.text, /^hmac-sha256:zonewright-transfer:[A-Za-z0-9+/]{43}=$/)
})

test('settings are read from the environment, and returned in their canonical form', () => {
  const { httpListen, publicUrl, nameservers, webhookTrustedTargets, logLevel, databaseUrl } = readConfiguration({
    DATA_DIR: freshFolder(),
    DATABASE_URL: 'postgres://db.example.net/zonewright',
    HTTP_LISTEN: '[::1]:0',
    PUBLIC_URL: 'https://dns.example.net/',
    NAMESERVERS: 'NS1.Example.net.=192.0.2.1:53, ns2.example.net=[2001:db8::1]:53',
    WEBHOOK_TRUSTED_TARGETS: '127.0.0.1:9443, [::1]:9443',
    LOG_LEVEL: 'warn',
  })
  assert.deepEqual(
    [httpListen, publicUrl, logLevel, databaseUrl],
    [{ host: '::1', port: 0 }, 'https://dns.example.net', 'warn', 'postgres://db.example.net/zonewright'],
  )
  assert.deepEqual(nameservers, [
    { name: 'ns1.example.net', host: '192.0.2.1', port: 53 },
    { name: 'ns2.example.net', host: '2001:db8::1', port: 53 },
  ])
  assert.deepEqual(webhookTrustedTargets, ['127.0.0.1:9443', '[::1]:9443'])
})

test('all faults are reported at once, each on a line that begins with the name of its setting', () => {
  const lines = faults({
    DATA_DIR: '/dev/null/data',
    HTTP_LISTEN: '8080',
    PUBLIC_URL: 'ftp://x',
    TRUSTED_PROXIES: '10.0.0.0/33',
    CONNECTIONS_PER_ADDRESS: 'many',
    HTTP_MEMORY_MIB: '47',
    DRAIN_SECONDS: '6',
    METRICS_LISTEN: '9100',
    PRIMARY_LISTEN: '127.0.0.1:99999',
    NAMESERVERS: 'ns1.example.net=192.0.2.1:53',
    WEBHOOK_TRUSTED_TARGETS: 'nowhere',
    SMTP_URL: 'http://smtp.example.net',
    MAIL_FROM: 'nobody',
    PRESETS_DIR: '/dev/null',
    DOMAIN_CONNECT: 'Example DNS',
    DOMAIN_CONNECT_DIR: '/dev/null',
    PAYMENTS: 'paystack',
    PAYSTACK_SECRET_KEY: 'pk_live_public',
    SAVED_CARDS: 'yes',
    SIGN_IN_PROVIDERS: '/nowhere/providers.json',
    REGISTRIES: '/nowhere/registries.json',
    DASHBOARD_DIR: '/dev/null',
    LOG_LEVEL: 'loud',
    SECRET_KEY: 'c2hvcnQ=',
    SECRET_KEY_FALLBACK: 'c2hvcnQ=',
    TSIG_KEY: 'hmac-md5:a:b',
    TSIG_KEY_FALLBACK: 'hmac-md5:a:b',
  })
  assert.deepEqual(
    lines.map((line) => line.split(':')[0]),
    [
      'DATA_DIR',
      'HTTP_LISTEN',
      'PUBLIC_URL',
      'TRUSTED_PROXIES',
      'CONNECTIONS_PER_ADDRESS',
      'HTTP_MEMORY_MIB',
      'DRAIN_SECONDS',
      'METRICS_LISTEN',
      'PRIMARY_LISTEN',
      'NAMESERVERS',
      'WEBHOOK_TRUSTED_TARGETS',
      'SMTP_URL',
      'MAIL_FROM',
      'PRESETS_DIR',
      'DOMAIN_CONNECT',
      'DOMAIN_CONNECT_DIR',
      'PAYMENTS',
      'SAVED_CARDS',
      'SIGN_IN_PROVIDERS',
      'REGISTRIES',
      'DASHBOARD_DIR',
      'LOG_LEVEL',
      'SECRET_KEY',
      'SECRET_KEY_FALLBACK',
      'TSIG_KEY',
      'TSIG_KEY_FALLBACK',
    ],
  )
  assert.match(lines[0] ?? '', /^DATA_DIR: \/dev\/null\/data cannot be written: \w+$/)
})

test('there must be at least two nameservers with different names, each with its address', () => {
  for (const text of [
    '',
    'a=1.2.3.4:53',
    'a=1.2.3.4:53,b',
    'a=1.2.3.4:53,A.=1.2.3.5:53',
    'a=1.2.3.4:53,b=1=2',
    'a=1.2.3.4:53,=1.2.3.5:53',
  ])
    assert.equal(faults({ NAMESERVERS: text }).length, 1, text)
})

test('a Domain Connect provider has an id and a name, and a site with https', () => {
  const setting = (DOMAIN_CONNECT: string, PUBLIC_URL = 'https://dns.example.net') =>
    readConfiguration({ DATA_DIR: freshFolder(), DOMAIN_CONNECT, PUBLIC_URL }).domainConnect
  assert.deepEqual(setting(' example.net = Example = DNS '), {
    providerId: 'example.net',
    providerName: 'Example = DNS',
  })
  assert.equal(setting(' '), undefined)
  for (const site of ['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:80'])
    assert.ok(setting('a=b', site), site)
  for (const text of ['example.net', 'example.net=', '=Example', 'a b=c', 'a/b=c', 'a=b\nc', `a=${'x'.repeat(101)}`])
    assert.equal(faults({ DOMAIN_CONNECT: text }).length, 1, text)
  assert.match(
    faults({ DOMAIN_CONNECT: 'a=b', PUBLIC_URL: 'http://dns.example.net' })[0] ?? '',
    /^DOMAIN_CONNECT: .*https/,
  )
})

test('proxies in front of the API are given as addresses and networks, and the drain time in seconds', () => {
  const { trustedProxies, connectionsPerAddress, drainMs, metricsListen } = readConfiguration({
    DATA_DIR: freshFolder(),
    TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, 2001:db8::/32',
    CONNECTIONS_PER_ADDRESS: '32',
    DRAIN_SECONDS: '2.5',
    METRICS_LISTEN: '127.0.0.1:9100',
  })
  assert.deepEqual(
    [trustedProxies, connectionsPerAddress, drainMs, metricsListen],
    [['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'], 32, 2_500, { host: '127.0.0.1', port: 9100 }],
  )
  for (const text of ['proxy.example.net', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '10.0.0.1/a'])
    assert.equal(faults({ TRUSTED_PROXIES: text }).length, 1, text)
  for (const text of ['0', '-1', '1.5', 'many', '', '100000'])
    assert.equal(faults({ CONNECTIONS_PER_ADDRESS: text }).length, 1, text)
  assert.equal(
    readConfiguration({ DATA_DIR: freshFolder(), HTTP_MEMORY_MIB: '512' }).httpMemoryBytes,
    512 * 1024 * 1024,
  )
  for (const text of ['-1', '47', '1e3', '64.5', '64MiB', ''])
    assert.equal(faults({ HTTP_MEMORY_MIB: text }).length, 1, text)
  for (const text of ['-1', '5.1', 'soon', '']) assert.equal(faults({ DRAIN_SECONDS: text }).length, 1, text)
})

test('resolvers are given by address, with a port if it is not 53', () => {
  const { delegationResolver, resolvers } = readConfiguration({
    DATA_DIR: freshFolder(),
    DELEGATION_RESOLVER: '127.0.0.1:5310',
    RESOLVERS: '192.0.2.53, [2001:db8::53]:5353, 2001:db8::53',
  })
  assert.deepEqual(delegationResolver, { host: '127.0.0.1', port: 5310 })
  assert.deepEqual(resolvers, [
    { host: '192.0.2.53', port: 53 },
    { host: '2001:db8::53', port: 5353 },
    { host: '2001:db8::53', port: 53 },
  ])
  for (const text of ['resolver.example.net', 'resolver.example.net:53', '127.0.0.1:0', '127.0.0.1:99999'])
    assert.match(faults({ DELEGATION_RESOLVER: text })[0] ?? '', /^DELEGATION_RESOLVER: /, text)
  assert.equal(faults({ RESOLVERS: '1.1.1.1,nowhere' }).length, 1)
})

test('customers reach the DNS door at an IP address, because most of their programs accept no host name', () => {
  const addressOf = (env: object) => readConfiguration({ DATA_DIR: freshFolder(), ...env }).doorAddress
  assert.deepEqual(addressOf({ DOOR_ADDRESS: '192.0.2.53' }), { host: '192.0.2.53', port: 53 })
  assert.deepEqual(addressOf({ DOOR_ADDRESS: '[2001:db8::53]:5353' }), { host: '2001:db8::53', port: 5353 })
  assert.deepEqual(addressOf({ DOOR_LISTEN: '192.0.2.1:5305' }), { host: '192.0.2.1', port: 5305 })
  for (const text of ['update.example.net:53', 'update.example.net', '192.0.2.53:0', '2001:db8::53:x', ''])
    assert.match(faults({ DOOR_ADDRESS: text }).join(), /^DOOR_ADDRESS: /, text)
})

test('SMTP_URL requires MAIL_FROM', () => {
  const [line, ...more] = faults({ SMTP_URL: 'smtp://smtp.example.net' })
  assert.match(line ?? '', /^MAIL_FROM: "" is not an address such as /)
  assert.equal(more.length, 0)
})

test('a fault never contains a secret', () => {
  const lines = faults({
    SECRET_KEY: 'aHVudGVyMg==',
    TSIG_KEY: 'hmac-sha256:zonewright:aHVudGVyMg==',
    SMTP_URL: 'smtp://zw:aHVudGVyMg@smtp.example.net?pool=true',
    MAIL_FROM: 'support@example.net',
  })
  assert.equal(lines.length, 3)
  assert.ok(!lines.join().includes('aHVudGVyMg'))
})

test('missing secrets are created once, in files that only we can read', () => {
  const dataDir = freshFolder()
  const first = readConfiguration({ DATA_DIR: dataDir })
  const second = readConfiguration({ DATA_DIR: dataDir })
  assert.deepEqual([second.secretKey, second.tsigKey], [first.secretKey, first.tsigKey])
  for (const file of ['secret.key', 'tsig.key']) assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600, file)
  const other = readConfiguration({ DATA_DIR: freshFolder() })
  assert.notDeepEqual(other.secretKey, first.secretKey)
})

test('a given secret is used, and no file is created for it', () => {
  const dataDir = freshFolder()
  const secret = Buffer.alloc(32, 7)
  const { secretKey, tsigKey } = readConfiguration({
    DATA_DIR: dataDir,
    SECRET_KEY: secret.toString('base64'),
    TSIG_KEY: 'hmac-sha256:key.example:MDEyMzQ1Njc4OTAxMjM0NQ==',
  })
  assert.deepEqual([secretKey, tsigKey.key.name], [secret, 'key.example.'])
  for (const file of ['secret.key', 'tsig.key']) assert.equal(existsSync(join(dataDir, file)), false, file)
})

test('a fallback key is for the time of a replacement: it differs from the current key, and may be left empty', () => {
  const [old, replacement] = [Buffer.alloc(32, 7).toString('base64'), Buffer.alloc(32, 8).toString('base64')]
  const tsig = (secret: string) => `hmac-sha256:key.example:${secret}`
  const given = { DATA_DIR: freshFolder(), SECRET_KEY: replacement, TSIG_KEY: tsig(replacement) }
  const during = readConfiguration({ ...given, SECRET_KEY_FALLBACK: old, TSIG_KEY_FALLBACK: tsig(old) })
  assert.deepEqual(during.secretKeyFallback, Buffer.from(old, 'base64'))
  assert.equal(during.tsigKeyFallback?.text, tsig(old))
  const after = readConfiguration({ ...given, SECRET_KEY_FALLBACK: '', TSIG_KEY_FALLBACK: '' })
  assert.deepEqual([after.secretKeyFallback, after.tsigKeyFallback], [undefined, undefined])
  const lines = faults({ ...given, SECRET_KEY_FALLBACK: ` ${replacement}`, TSIG_KEY_FALLBACK: tsig(replacement) })
  assert.deepEqual(lines, [
    'SECRET_KEY_FALLBACK: is the same key as SECRET_KEY; set it to the other key, or remove it',
    'TSIG_KEY_FALLBACK: is the same key as TSIG_KEY; set it to the other key, or remove it',
  ])
})

test('a stored secret that was damaged is reported, never replaced', () => {
  const dataDir = freshFolder()
  readConfiguration({ DATA_DIR: dataDir })
  writeFileSync(join(dataDir, 'secret.key'), '')
  assert.match(faults({ DATA_DIR: dataDir })[0] ?? '', /^SECRET_KEY: must be 32 bytes/)
  assert.equal(readFileSync(join(dataDir, 'secret.key'), 'utf8'), '')
})

test('two processes that start at the same time end up with the same secrets', async () => {
  const program = join(folder, 'reader.ts')
  writeFileSync(
    program,
    `import { readConfiguration } from ${JSON.stringify(new URL('./configuration.ts', import.meta.url).href)}
    const nowMs = () => performance.timeOrigin + performance.now()
    process.on('message', ({ dirs, startAtMs }) => {
      process.send(dirs.map((DATA_DIR, i) => {
        while (nowMs() < startAtMs + i); // both go at the same moment
        const { secretKey, tsigKey } = readConfiguration({ DATA_DIR })
        return secretKey.toString('hex') + tsigKey.text
      }))
    })
    process.send('ready')`,
  )
  const readers = [fork(program), fork(program)]
  try {
    await Promise.all(readers.map((reader) => once(reader, 'message')))
    const dirs = Array.from({ length: 400 }, freshFolder)
    const answers = Promise.all(
      readers.map(async (reader) => {
        const failed = once(reader, 'exit').then(() => assert.fail('a reader ended'))
        return (await Promise.race([once(reader, 'message'), failed]))[0] as string[]
      }),
    )
    const startAtMs = performance.timeOrigin + performance.now() + 50
    for (const reader of readers) reader.send({ dirs, startAtMs })
    const [one, other] = await answers
    assert.equal(one?.length, 400)
    assert.deepEqual(other, one)
  } finally {
    for (const reader of readers) reader.kill()
  }
})

test('an address is a host and a port, with IPv6 in brackets, and is written back in the same form', () => {
  for (const text of ['127.0.0.1:53', 'localhost:65535', '[::1]:0']) assert.equal(textOf(parseHostPort(text)), text)
  for (const text of ['', ':80', 'host', 'host:', '::1:80', '[::1]', 'host:65536', 'host:-1', 'host:80:80'])
    assert.throws(() => parseHostPort(text), /is not host:port/, text)
})

test('a metric of free disk space is given as a page and a name, with any of its labels', () => {
  const read = (text: string) =>
    readConfiguration({ DATA_DIR: freshFolder(), DATABASE_DISK_METRIC: text }).databaseDiskMetric
  assert.equal(read(''), undefined)
  assert.deepEqual(read('http://192.0.2.1:9100/metrics free_bytes'), {
    url: 'http://192.0.2.1:9100/metrics',
    name: 'free_bytes',
    labels: [],
  })
  assert.deepEqual(read('https://db/metrics free{mountpoint="/",device="/dev/sda"}')?.labels, [
    'mountpoint="/"',
    'device="/dev/sda"',
  ])
  for (const text of ['free_bytes', 'http://db/metrics', 'ftp://db/metrics free', 'http://db/metrics free{'])
    assert.match(
      faults({ DATABASE_DISK_METRIC: text })[0] ?? '',
      /^DATABASE_DISK_METRIC: .* is not a URL and the name/,
      text,
    )
})
