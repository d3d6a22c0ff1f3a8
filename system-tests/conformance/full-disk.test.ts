// A nameserver whose disk is full continues to respond and to follow changes, reports the problem, and recovers afterwards. The disk is full only for
// this process: the kernel refuses to enlarge its files (prlimit of util-linux).
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually, untilAnswered, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const { ns2 } = world.programs
const zone = world.facts.zone.name
const address = world.facts.nameservers[1]?.address ?? ''
const hosts = 3_000

/** A zone file of `hosts` hosts, all with this address. */
const hostsAt = (ip: string): string => Array.from({ length: hosts }, (_, i) => `full${i} 60 IN A ${ip}\n`).join('')

async function importHosts(ip: string): Promise<void> {
  const { status, body } = await world.api.call('POST', `/zones/${zone}/import?mode=merge`, hostsAt(ip))
  assert.equal(status, 200, JSON.stringify(body).slice(0, 300))
}

async function allAnswer(ip: string): Promise<void> {
  for (const i of [0, 1_234, hosts - 1]) await untilAnswered(address, `full${i}.${zone}`, 'A', ip)
}

/** Limits the size of its files from now on. */
function limitFiles(limit: string): void {
  execFileSync('prlimit', ['--pid', String(ns2.pid), `--fsize=${limit}:`])
}

test('a nameserver with a full disk answers, follows changes and logs the error; after a kill -9 it has everything', async () => {
  await importHosts('192.0.2.1')
  await allAnswer('192.0.2.1')
  limitFiles('4096')
  await importHosts('192.0.2.2')
  await allAnswer('192.0.2.2')
  const faults = await eventually('it says that its store was not written', async () => {
    const log = readFileSync(join(world.dataDir, 'logs', 'ns2.log'), 'utf8')
    return log.match(/(?<="store not written: retrying","reason":)"[^"]*"/g) ?? undefined
  })
  // SQLite reports a full disk as "database or disk is full", and a file that may not grow as this.
  assert.deepEqual([...new Set(faults)], ['"disk I/O error"'])
  const pid = ns2.pid ?? 0
  process.kill(pid, 'SIGKILL')
  await eventually('it is started again', async () => ns2.pid !== pid)
  await ns2.ready()
  await allAnswer('192.0.2.2')
  await importHosts('192.0.2.3')
  await allAnswer('192.0.2.3')
})
