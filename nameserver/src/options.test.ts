import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { flags, helpText } from './flags.ts'
import { parseOptions } from './options.ts'
import { usualRateLimits } from './rate-limit/rate-limiter.ts'
import { temporaryDirectory } from './testing/run-secondary.ts'
import { runToEnd } from './testing/spawn-nameserver.ts'

const least = ['--listen', '127.0.0.1:5388', '--zone-dir', 'zones']
const readme = new URL('../README.md', import.meta.url)

describe('the command line', () => {
  it('needs an address and a source, and has defaults for the rest', () => {
    assert.deepEqual(parseOptions(least), {
      listen: [{ host: '127.0.0.1', port: 5388 }],
      source: { kind: 'files', directory: 'zones' },
      door: 'auto',
      threads: undefined,
      rateLimits: usualRateLimits,
      cookieSecretFile: undefined,
      nsid: undefined,
      metrics: undefined,
    })
  })

  it('reads the flags of a secondary', (test) => {
    const tsig = join(temporaryDirectory(test), 'tsig')
    writeFileSync(tsig, 'hmac-sha256:key:c2VjcmV0\n')
    const args = [
      '--primary',
      '127.0.0.1:5300',
      '--primary',
      '[::1]:5300',
      '--catalog',
      'catalog.test',
      '--tsig',
      tsig,
      '--store',
      'store',
    ]
    const { source } = parseOptions(['--listen', '[::1]:5388', ...args])
    assert.ok(source.kind === 'secondary')
    assert.deepEqual(
      [source.primaries, source.catalog, source.keys.map(({ name }) => name), source.storeDirectory],
      [
        [
          { host: '127.0.0.1', port: 5300 },
          { host: '::1', port: 5300 },
        ],
        'catalog.test.',
        ['key.'],
        'store',
      ],
    )
  })

  it('reads all other flags', () => {
    const {
      listen,
      source: _,
      rateLimits,
      ...rest
    } = parseOptions([
      ...least,
      ...['--listen', '[::1]:0', '--door', 'portable', '--threads', '3', '--rrl', '50', '--rrl-slip', '0'],
      ...['--rrl-ipv4-prefix', '32', '--rrl-ipv6-prefix', '48', '--rrl-allow', '192.0.2.0/25', '--rrl-allow', '::1'],
      ...['--cookie-secret', 'secret', '--nsid', 'ns1', '--metrics', '127.0.0.1:9153'],
    ])
    assert.deepEqual(
      listen.map(({ host }) => host),
      ['127.0.0.1', '::1'],
    )
    const { allow, ...numbers } = rateLimits ?? usualRateLimits
    assert.deepEqual(numbers, {
      answersPerSecond: 50,
      answersPerPrefix: 55,
      slip: 0,
      ipv4PrefixBits: 32,
      ipv6PrefixBits: 48,
    })
    assert.deepEqual(
      allow.map(({ bits, address }) => [bits, address.byteLength]),
      [
        [25, 4],
        [128, 16],
      ],
    )
    assert.deepEqual(rest, {
      door: 'portable',
      threads: 3,
      cookieSecretFile: 'secret',
      nsid: 'ns1',
      metrics: { host: '127.0.0.1', port: 9153 },
    })
    assert.equal(parseOptions([...least, '--rrl', 'off']).rateLimits, undefined)
    assert.equal(parseOptions([...least, '--rrl-total', '3000']).rateLimits?.answersPerPrefix, 3000)
  })

  it('accepts a second key while the first one replaces it', (test) => {
    const tsig = join(temporaryDirectory(test), 'tsig')
    const secondary = ['--primary', '127.0.0.1:5300', '--catalog', 'catalog.test', '--store', 'store', '--tsig', tsig]
    const parse = (text: string) => {
      writeFileSync(tsig, text)
      return parseOptions(['--listen', '[::1]:5388', ...secondary]).source
    }
    const [line, other] = ['hmac-sha256:new:c2VjcmV0', 'hmac-sha512:old.example:b3RoZXI=']
    const source = parse(`${line}\r\n\n ${other} \n`)
    assert.deepEqual(source.kind === 'secondary' && source.keys.map(({ name }) => name), ['new.', 'old.example.'])
    for (const [text, reason] of [
      ['', /tsig: expected one line /],
      [`${line}\nhmac-md5:a:b`, /tsig: expected one line .*, or two lines while the key is being replaced$/],
      [`${line}\n${other}\n${line}2`, /tsig: expected one line /],
      [`${line}\n${line}`, /tsig: both lines have the same key; remove one of them$/],
    ] as const)
      assert.throws(
        () => parse(text),
        (fault: Error) => reason.test(fault.message) && !fault.message.includes('c2VjcmV0'),
      )
  })

  it('expands a wildcard to every address of the machine', () => {
    const { listen } = parseOptions(['--listen', '0.0.0.0:53', '--zone-dir', 'zones'])
    assert.ok(listen.some(({ host, port }) => host === '127.0.0.1' && port === 53))
    assert.ok(listen.every(({ host }) => host !== '0.0.0.0'))
  })

  const wrong: [string[], RegExp][] = [
    [['--frobnicate'], /--frobnicate/],
    [['extra'], /extra/],
    [['--nsid'], /--nsid/],
    [['--store', 'a', '--store', 'b'], /^--store is given twice$/],
    [['--listen', 'localhost:53'], /^--listen localhost:53: not an address and port/],
    [['--listen', '127.0.0.1:65536'], /^--listen 127\.0\.0\.1:65536: /],
    [['--primary', '127.0.0.1:53'], /^--zone-dir cannot be combined/],
    [['--door', 'back'], /^--door back: not one of fast, portable, auto$/],
    [['--threads', '0'], /^--threads 0: not a number from 1 to 64$/],
    [['--threads', '1e1'], /^--threads 1e1: /],
    [['--rrl', '0'], /^--rrl 0: not a number from 1 to 1000000 or off$/],
    [['--rrl', 'on'], /^--rrl on: /],
    [['--rrl-total', '0'], /^--rrl-total 0: not a number from 1 to 1000000$/],
    [['--rrl-total', 'off'], /^--rrl-total off: /],
    [['--rrl-slip', '101'], /^--rrl-slip 101: /],
    [['--rrl-ipv4-prefix', '33'], /^--rrl-ipv4-prefix 33: /],
    [['--rrl-ipv6-prefix', '65'], /^--rrl-ipv6-prefix 65: /],
    [['--rrl-allow', '192.0.2.0/33'], /^--rrl-allow 192\.0\.2\.0\/33: not a prefix/],
    [['--nsid', ''], /^--nsid has 0 bytes/],
    [['--nsid', 'ü'.repeat(65)], /^--nsid has 130 bytes/],
    [['--metrics', '9153'], /^--metrics 9153: not an address and port/],
  ]
  for (const [args, reason] of wrong) {
    it(`is rejected in one line for ${args.join(' ').slice(0, 40)}`, () => {
      assert.throws(
        () => parseOptions([...least, ...args]),
        (error: Error) => {
          assert.equal(error.name, 'StartupFault')
          assert.match(error.message, reason)
          assert.doesNotMatch(error.message, /\n/)
          return true
        },
      )
    })
  }

  it('is rejected without an address or without zones', () => {
    assert.throws(() => parseOptions(['--zone-dir', 'zones']), /^StartupFault: --listen is missing/)
    assert.throws(() => parseOptions(['--listen', '127.0.0.1:53']), /no zones to serve/)
    assert.throws(() => parseOptions(['--listen', '127.0.0.1:53', '--primary', '127.0.0.1:53']), /no zones to serve/)
  })

  it('is explained flag by flag, identically in the README and by --help', async (test) => {
    const help = helpText()
    const { code, stdout, stderr } = await runToEnd(test, ['--help', '--listen'])
    assert.deepEqual([code, stdout, stderr], [0, help, ''])
    for (const name of Object.keys(flags)) assert.match(help, new RegExp(`^ {2}--${name}\\b`, 'm'))
    assert.ok(readFileSync(readme, 'utf8').includes(`\n\`\`\`\n${help}\`\`\`\n`), help)
  })
})
