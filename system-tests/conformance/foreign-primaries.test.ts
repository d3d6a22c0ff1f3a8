// Our nameserver as a secondary of third-party primaries, configured as docs/runbooks/secondaries.md tells operators.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { Program } from '../../tools/local/process.ts'
import { askUdp, eventually, untilAnswered } from '../world/index.ts'
import { bindPrimary } from './peers/bind.ts'
import { answered, transferred } from './peers/kdig.ts'
import { knotPrimary } from './peers/knot.ts'
import { median, type Primary } from './peers/peer.ts'
import { sample } from './peers/sample.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-primaries-'))
const secret = randomBytes(32).toString('base64')
const key = `hmac-sha256:zonewright-transfer:${secret}`
const tsigFile = join(dataDir, 'tsig.key')
writeFileSync(tsigFile, `${key}\n`)
const zoneFile = join(dataDir, 'example.com.zone')
writeFileSync(
  zoneFile,
  `$TTL 3600\n@ SOA ns.example.net. hostmaster 1 14400 3600 1209600 300\n@ NS ns.example.net.\n${sample}`,
)
const nameserver = fileURLToPath(new URL('../../nameserver/bin/nameserver.ts', import.meta.url))

const stops: (() => Promise<void>)[] = []
after(async () => {
  await Promise.all(stops.map((stop) => stop()))
  await rm(dataDir, { recursive: true, force: true })
})
// All of them start before the first test, because Node runs tests and `after` hooks as soon as the first ones are defined.
const installations = await Promise.all([knotPrimary, bindPrimary].map(startBoth))

async function startBoth(primary: Primary) {
  const { primary: listen, ns1: address } = await freeAddresses()
  const folder = join(dataDir, primary.name)
  mkdirSync(folder)
  const args = [nameserver, '--listen', address, '--primary', listen, '--catalog', 'catalog.zonewright.invalid']
  const ours = new Program({
    name: 'nameserver',
    args: [...args, '--tsig', tsigFile, '--store', join(folder, 'store')],
    logFile: join(folder, 'nameserver.log'),
  })
  stops.push(() => ours.stop())
  await ours.start()
  const running = await primary.start({ folder, listen, nameserver: address, secret, zoneFile })
  stops.push(() => running.stop())
  return { name: primary.name, listen, address, running }
}

for (const { name, listen, address, running } of installations) {
  const isServedWhole = (): Promise<true> =>
    eventually('our nameserver serves example.com as it is', async () => {
      const records = transferred(listen, key, 'example.com')
      assert.ok(records.length > 60, `${records.length} records`)
      assert.deepEqual(answered(address, records), records)
      return true
    })

  test(`our nameserver serves a zone in ${name}'s catalog, with every kind of record unchanged`, async () => {
    await isServedWhole()
  })

  test(`our nameserver serves a change at ${name} soon after its NOTIFY`, async (t) => {
    const tookMs: number[] = []
    for (let i = 0; i < 5; i++) {
      const startedMs = performance.now()
      running.addAddress(`soon${i}`, '192.0.2.9')
      await untilAnswered(address, `soon${i}.example.com`, 'A', '192.0.2.9')
      tookMs.push(Math.round(performance.now() - startedMs))
    }
    t.diagnostic(`served after ${tookMs.join(', ')} ms, the command among them`)
    assert.ok(median(tookMs) < 5_000)
    await isServedWhole()
  })

  test(`our nameserver refuses a zone within 5 s after it leaves ${name}'s catalog`, async (t) => {
    const startedMs = performance.now()
    running.unlist()
    await eventually('it is refused', async () => (await askUdp(address, 'example.com', 'SOA')).rcode === 'REFUSED')
    const tookMs = Math.round(performance.now() - startedMs)
    t.diagnostic(`refused after ${tookMs} ms, the command among them`)
    assert.ok(tookMs < 5_000)
  })
}
