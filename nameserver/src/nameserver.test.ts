import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { parseMessage, parseName, Rcode } from '@zonewright/dns'
import { queryFor, sendTcp, sendUdp } from './testing/ask.ts'
import { eventually } from './testing/eventually.ts'
import {
  addressAt,
  runPrimary,
  serialAt,
  temporaryDirectory,
  untilRcode,
  untilSerial,
} from './testing/run-secondary.ts'
import { catalogName, type ScriptedPrimary, testKey } from './testing/scripted-primary.ts'
import {
  endBy,
  nameserverProgram,
  readyNameserver,
  runToEnd,
  type SpawnedNameserver,
  spawnNameserver,
} from './testing/spawn-nameserver.ts'

const listen = ['--listen', '127.0.0.1:0']

interface Setting {
  readonly primary: ScriptedPrimary
  readonly directory: string
  readonly args: string[]
}

async function setting(test: TestContext): Promise<Setting> {
  const primary = await runPrimary(test)
  const directory = temporaryDirectory(test)
  const tsigFile = join(directory, 'tsig')
  writeFileSync(tsigFile, `hmac-sha256:test-key:${Buffer.from(testKey.secret).toString('base64')}\n`)
  const from = ['--primary', `127.0.0.1:${primary.endpoint.port}`, '--catalog', catalogName, '--tsig', tsigFile]
  return { primary, directory, args: [...listen, ...from, '--store', join(directory, 'store')] }
}

function at({ endpoints: [endpoint] }: SpawnedNameserver) {
  assert.ok(endpoint)
  return endpoint
}

/** A nameserver that has `example.` at serial 1 on disk, with its primary stopped. */
async function storedThenStopped(test: TestContext): Promise<Setting> {
  const made = await setting(test)
  made.primary.publish('example.', 1, ['www A 192.0.2.1'])
  made.primary.list('example.')
  const first = await spawnNameserver(test, made.args)
  await untilSerial(at(first), 'example.', 1)
  assert.equal((await endBy('SIGTERM', first)).code, 0)
  await made.primary.stop()
  return made
}

/** Changes the store in a way that no nameserver does. */
function change(directory: string, statements: string): void {
  const db = new DatabaseSync(join(directory, 'store', 'zones.sqlite'))
  db.exec(statements)
  db.close()
}

describe('the process', () => {
  it('prints one ready line with the addresses it answers on, UDP and TCP, and JSON lines to stderr', async (test) => {
    const { args } = await setting(test)
    const running = await spawnNameserver(test, args)
    assert.match(running.readyLine, /^ready 127\.0\.0\.1:\d+ zones 0 door (fast|portable)$/)
    assert.equal(await addressAt(at(running), 'www.example.'), `rcode ${Rcode.REFUSED}`)
    await eventually('it has logged', () => running.stderr().includes('\n'))
    for (const line of running.stderr().trim().split('\n')) {
      const { level, time, msg } = JSON.parse(line)
      assert.ok(level && time && msg, line)
    }
  })

  it('stops within a second of SIGTERM or SIGINT, even with connections open and a transfer in progress', async (test) => {
    const stopMs = async (signal: 'SIGTERM' | 'SIGINT'): Promise<number> => {
      const { primary, args } = await setting(test)
      primary.publish('example.', 1, [])
      primary.list('example.')
      primary.holds.set(parseName('example.'), new Promise(() => {}))
      const running = await spawnNameserver(test, args)
      await eventually('the transfer runs', () => primary.asked.includes('AXFR example.'))
      const client = connect(at(running))
      client.on('error', () => {})
      await once(client, 'connect')
      const { code, tookMs } = await endBy(signal, running)
      assert.equal(code, 0)
      return tookMs
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      // Other work on the machine can slow down one stop, but not five in a row.
      let quickestMs = Number.POSITIVE_INFINITY
      for (let i = 0; i < 5 && quickestMs >= 1_000; i++) quickestMs = Math.min(quickestMs, await stopMs(signal))
      assert.ok(quickestMs < 1_000, `${quickestMs} ms`)
    }
  })

  it('stops when the IPC channel to its parent process closes', async (test) => {
    const { args } = await setting(test)
    const started = spawn(process.execPath, [nameserverProgram, ...args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    const { child } = await readyNameserver(test, started)
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(10_000) })
    child.disconnect()
    assert.deepEqual(await ended, [0, null])
  })

  it('rejects invalid flags with one line and exit code 1', async (test) => {
    const directory = temporaryDirectory(test)
    const tsig = join(directory, 'tsig')
    writeFileSync(tsig, 'something else\n')
    const secondary = ['--primary', '127.0.0.1:5300', '--catalog', 'c.test', '--store', join(directory, 'store')]
    const wrong: [string[], RegExp][] = [
      [[], /--listen is missing/],
      [['--listen', 'nonsense', '--zone-dir', directory], /--listen nonsense/],
      [[...listen, '--frobnicate'], /--frobnicate/],
      [listen, /no zones to serve/],
      [[...listen, '--zone-dir', join(directory, 'none')], /cannot be read/],
      [[...listen, '--zone-dir', directory, '--door', 'back'], /--door back/],
      [[...listen, ...secondary, '--tsig', join(directory, 'none')], /--tsig .* cannot be read/],
      [[...listen, ...secondary, '--tsig', tsig], /--tsig .* expected one line/],
    ]
    for (const [args, reason] of wrong) {
      const { code, stdout, stderr } = await runToEnd(test, args)
      assert.deepEqual([code, stdout, stderr.trim().split('\n').length], [1, '', 1], stderr)
      assert.match(JSON.parse(stderr).msg, reason)
    }
  })

  it('reports in one line that the port is taken', async (test) => {
    const { args } = await setting(test)
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    test.after(() => taken.close())
    const { port } = taken.address() as AddressInfo
    const { code, stderr } = await runToEnd(test, ['--listen', `127.0.0.1:${port}`, ...args.slice(2)])
    assert.equal(code, 1)
    assert.match(JSON.parse(stderr).msg, /port is taken/)
  })
})

describe('the store', () => {
  it('is served immediately while the primary is unavailable', async (test) => {
    const { args } = await storedThenStopped(test)
    const second = await spawnNameserver(test, args)
    assert.match(second.readyLine, /zones 1 door (fast|portable)$/)
    assert.equal(await addressAt(at(second), 'www.example.'), '192.0.2.1')
  })

  it('survives kill -9: what was saved is served, and the rest is transferred again', async (test) => {
    const { primary, args } = await setting(test)
    primary.publish('example.', 1, ['www A 192.0.2.1'])
    primary.list('example.')
    let running = await spawnNameserver(test, args)
    for (let serial = 2; serial <= 30; serial++) {
      primary.publish('example.', serial, [`www A 192.0.2.${serial}`, `n${serial} A 192.0.2.1`])
      if (serial % 10 === 0) {
        await endBy('SIGKILL', running)
        running = await spawnNameserver(test, args)
      }
      await primary.notify(at(running), 'example.')
      await untilSerial(at(running), 'example.', serial)
      assert.equal(await addressAt(at(running), 'www.example.'), `192.0.2.${serial}`)
      assert.equal(await addressAt(at(running), `n${serial - 1}.example.`), `rcode ${Rcode.NXDOMAIN}`)
    }
    assert.doesNotMatch(running.stderr(), /corrupt|whole/)
  })

  it('is not served before it has caught up with the primary', async (test) => {
    const { primary, args } = await setting(test)
    primary.publish('example.', 1, ['www A 192.0.2.1'])
    primary.list('example.')
    const first = await spawnNameserver(test, args)
    await untilSerial(at(first), 'example.', 1)
    await endBy('SIGTERM', first)
    primary.publish('example.', 2, ['www A 192.0.2.2'])
    primary.asked.length = 0
    const [check, transfer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    primary.holds.set(parseName('example.'), check.promise)
    const second = spawnNameserver(test, args)
    await eventually('the serial is asked for', () => primary.asked.includes('SOA example.'))
    primary.holds.set(parseName('example.'), transfer.promise)
    check.resolve()
    await eventually('the transfer runs', () => primary.asked.includes('IXFR example.'))
    // If it were ready now, it would have got the query before this.
    setTimeout(transfer.resolve, 500)
    assert.equal(await addressAt(at(await second), 'www.example.'), '192.0.2.2')
  })

  it('forgets a removed member, even if the primary is unavailable after a restart', async (test) => {
    const { primary, args } = await setting(test)
    for (const zone of ['stays.', 'goes.']) {
      primary.publish(zone, 1, [])
      primary.list(zone)
    }
    const first = await spawnNameserver(test, args)
    await untilSerial(at(first), 'goes.', 1)
    primary.unlist('goes.')
    await primary.notifyCatalog(at(first))
    await untilRcode(at(first), 'goes.', 'REFUSED')
    await endBy('SIGTERM', first)
    await primary.stop()
    const second = await spawnNameserver(test, args)
    assert.equal(await serialAt(at(second), 'stays.'), 1)
    await untilRcode(at(second), 'goes.', 'REFUSED')
  })

  it('is emptied if it is of another catalog: nothing of it is served, and nothing is left on disk', async (test) => {
    const { args } = await storedThenStopped(test)
    const second = await spawnNameserver(test, args.with(args.indexOf(catalogName), 'other-catalog.test.'))
    assert.match(second.readyLine, / zones 0 /)
    for (const zone of ['example.', catalogName]) await untilRcode(at(second), zone, 'REFUSED')
    assert.doesNotMatch(second.stderr(), /corrupt/)
    await endBy('SIGTERM', second)
    const again = await spawnNameserver(test, args)
    assert.match(again.readyLine, / zones 0 /)
    assert.equal(await addressAt(at(again), 'www.example.'), `rcode ${Rcode.REFUSED}`)
  })

  const damages: Record<string, (file: string) => void> = {
    'cut short': (file) => truncateSync(file, readFileSync(file).length - 5000),
    'overwritten in the middle': (file) => {
      const bytes = readFileSync(file)
      bytes.fill(0x55, 4096)
      writeFileSync(file, bytes)
    },
    'something else': (file) => writeFileSync(file, 'This is no database. '.repeat(1000)),
    'with one bit changed in a record': (file) => {
      const bytes = readFileSync(file)
      const address = bytes.indexOf(Buffer.from([0, 4, 192, 0, 2, 1]))
      assert.ok(address > 0)
      bytes[address + 5] = 3
      writeFileSync(file, bytes)
    },
  }
  for (const [damage, inflict] of Object.entries(damages)) {
    it(`is moved aside if it is damaged (${damage}), and everything is transferred again`, async (test) => {
      const { primary, directory, args } = await storedThenStopped(test)
      inflict(join(directory, 'store', 'zones.sqlite'))
      const second = await spawnNameserver(test, args)
      assert.match(second.readyLine, /zones 0 door (fast|portable)$/)
      assert.match(second.stderr(), /store is corrupt/)
      assert.ok(readdirSync(join(directory, 'store')).some((file) => file.startsWith('zones.sqlite.corrupt-')))
      await primary.start()
      await untilSerial(at(second), 'example.', 1)
      assert.equal(await addressAt(at(second), 'www.example.'), '192.0.2.1')
    })
  }

  const apex = Uint8Array.of(...Buffer.from('example'), 0)
  /** The state after a b-tree has lost a row, and the answers until the zone has been transferred again. */
  const apexKey = Buffer.from(apex).toString('hex')
  const losses: Record<string, [lose: string, isStillAnswered: boolean]> = {
    'a name': [`delete from names where zone = 'example.' and key = x'${apexKey}6e373700'`, false],
    'the last name': [`delete from names where (zone, key) = (select zone, max(key) from names)`, false],
    'the apex': [`delete from names where zone = 'example.' and key = x'${apexKey}'`, false],
    'every name': [`delete from names where zone = 'example.'`, false],
    'the row of the zone': [`delete from zones where origin = 'example.'`, false],
    'the row of the catalog': [`delete from zones where origin = '${catalogName}'`, true],
  }
  for (const [lost, [lose, isStillAnswered]] of Object.entries(losses)) {
    it(`serves nothing wrong if it has lost ${lost}, and only what is damaged is transferred again`, async (test) => {
      const { primary, directory, args } = await setting(test)
      const names = Array.from({ length: 200 }, (_, index) => `n${index} A 192.0.2.1`)
      primary.publish('example.', 1, names)
      primary.publish('other.', 1, ['www A 192.0.2.2'])
      for (const zone of ['example.', 'other.']) primary.list(zone)
      const first = await spawnNameserver(test, args)
      for (const zone of ['example.', 'other.']) await untilSerial(at(first), zone, 1)
      // A later difference also maintains the count and the digest.
      primary.publish('example.', 2, [...names.slice(1), 'n77 TXT "x"', 'new A 192.0.2.3'])
      await primary.notify(at(first), 'example.')
      await untilSerial(at(first), 'example.', 2)
      await endBy('SIGTERM', first)
      await primary.stop()
      change(directory, lose)

      const second = await spawnNameserver(test, args)
      assert.equal(await addressAt(at(second), 'www.other.'), '192.0.2.2')
      for (const name of ['n77.example.', 'n199.example.', 'n5.example.', 'new.example.']) {
        const stored = name === 'new.example.' ? '192.0.2.3' : '192.0.2.1'
        assert.equal(await addressAt(at(second), name), isStillAnswered ? stored : `rcode ${Rcode.SERVFAIL}`, name)
      }
      primary.asked.length = 0
      await primary.start()
      await untilSerial(at(second), 'example.', 2)
      for (const name of ['n77.example.', 'n199.example.']) assert.equal(await addressAt(at(second), name), '192.0.2.1')
      await eventually('the catalog was looked at', () => primary.asked.some((asked) => asked.endsWith(catalogName)))
      assert.ok(!primary.asked.includes('AXFR other.'))
      assert.doesNotMatch(second.stderr(), /store is corrupt/)
    })
  }

  it('of the previous layout stays in use without a transfer, and a loss is detected from then on', async (test) => {
    const { primary, directory, args } = await setting(test)
    primary.publish(
      'example.',
      1,
      Array.from({ length: 200 }, (_, index) => `n${index} A 192.0.2.1`),
    )
    primary.list('example.')
    const first = await spawnNameserver(test, args)
    await untilSerial(at(first), 'example.', 1)
    await endBy('SIGTERM', first)
    change(directory, 'alter table zones drop column names; alter table zones drop column digest')
    primary.asked.length = 0
    const second = await spawnNameserver(test, args)
    assert.equal(await addressAt(at(second), 'n77.example.'), '192.0.2.1')
    await eventually('the primary was asked', () => primary.asked.includes('SOA example.'))
    assert.ok(!primary.asked.some((asked) => asked.startsWith('AXFR')))
    await endBy('SIGTERM', second)
    await primary.stop()
    change(directory, `delete from names where (zone, key) = (select zone, max(key) from names)`)
    const third = await spawnNameserver(test, args)
    assert.equal(await addressAt(at(third), 'n77.example.'), `rcode ${Rcode.SERVFAIL}`)
  })

  it('is left alone if another process uses it: one line, exit code 1', async (test) => {
    const { args } = await setting(test)
    await spawnNameserver(test, args)
    const { code, stderr } = await runToEnd(test, args)
    assert.equal(code, 1)
    assert.match(JSON.parse(stderr).msg, /in use by another process/)
  })

  it('is named in one line if it cannot be created', async (test) => {
    const { directory, args } = await setting(test)
    writeFileSync(join(directory, 'file'), '')
    const { code, stderr } = await runToEnd(test, [...args.slice(0, -1), join(directory, 'file', 'store')])
    assert.equal(code, 1)
    assert.match(JSON.parse(stderr).msg, /--store .* cannot be made/)
  })
})

describe('zone files', () => {
  const head = '$TTL 300\n@ SOA ns hostmaster 1 14400 3600 1209600 300\n@ NS ns\nns A 192.0.2.53\n'

  it('are served under the name of the file', async (test) => {
    const directory = temporaryDirectory(test)
    writeFileSync(join(directory, 'example.com.zone'), `${head}www A 192.0.2.1\n`)
    writeFileSync(join(directory, 'notes.txt'), 'not a zone')
    const running = await spawnNameserver(test, [...listen, '--zone-dir', directory])
    assert.match(running.readyLine, /zones 1 door (fast|portable)$/)
    assert.equal(await addressAt(at(running), 'www.example.com.'), '192.0.2.1')
    assert.equal((await endBy('SIGTERM', running)).code, 0)
  })

  it('keep the TTL of each signature in answers', async (test) => {
    const directory = temporaryDirectory(test)
    const rest = '20300101000000 20200101000000 1 example.com. AQPA\n'
    const signed = [60, 3_600, 86_400].map((ttl, i) => `www ${ttl} RRSIG TYPE${i + 1} 13 3 ${ttl} ${rest}`)
    writeFileSync(join(directory, 'example.com.zone'), `${head}www A 192.0.2.1\n${signed.join('')}`)
    const running = await spawnNameserver(test, [...listen, '--zone-dir', directory])
    const { answers } = parseMessage(await sendUdp(at(running), queryFor('www.example.com.', 'RRSIG')))
    assert.deepEqual(
      answers.map(({ ttl }) => ttl).sort((a, b) => a - b),
      [60, 3_600, 86_400],
    )
    assert.equal((await endBy('SIGTERM', running)).code, 0)
  })

  it('with a fault are reported with the line number, and nothing is served', async (test) => {
    const directory = temporaryDirectory(test)
    const many = Array.from({ length: 20_000 }, (_, index) => `many TYPE${20_000 + index} \\# 0\n`)
    const faulty: [string, RegExp][] = [
      [`${head}${many.join('')}`, /example\.com\. cannot be served: many\.example\.com\. has records of 20000 types/],
      [`${head}www A 192.0.2.999\n`, /example\.com\.zone:5: /],
      ['www A 192.0.2.1\n', /example\.com\.zone/],
    ]
    for (const [text, reason] of faulty) {
      writeFileSync(join(directory, 'example.com.zone'), text)
      const { code, stdout, stderr } = await runToEnd(test, [...listen, '--zone-dir', directory])
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(JSON.parse(stderr).msg, reason)
    }
  })

  it('are still served after a flood of junk', async (test) => {
    const directory = temporaryDirectory(test)
    writeFileSync(join(directory, 'example.com.zone'), `${head}www A 192.0.2.1\n`)
    const running = await spawnNameserver(test, [...listen, '--zone-dir', directory])
    const junk = Array.from({ length: 100 }, (_, index) => crypto.getRandomValues(new Uint8Array(12 + index)))
    for (const bytes of junk) {
      bytes[2] = (bytes[2] ?? 0) & 0x7f
      await sendUdp(at(running), bytes)
    }
    // The largest possible datagram, which is longer than the nameserver ever reads.
    await sendUdp(at(running), new Uint8Array(65_507).fill(0x55).with(2, 0))
    const tail = new Uint8Array(65_535)
    tail.set(queryFor('www.example.com.', 'A'))
    const [refused, answered] = await sendTcp(at(running), [tail, queryFor('www.example.com.', 'A')])
    assert.deepEqual(
      [refused, answered].map((wire) => wire && parseMessage(wire).rcode),
      [Rcode.FORMERR, Rcode.NOERROR],
    )
    await sendUdp(at(running), queryFor('www.example.com.', 'A'))
    assert.equal(await addressAt(at(running), 'www.example.com.'), '192.0.2.1')
    assert.equal(running.stderr(), '')
  })
})
