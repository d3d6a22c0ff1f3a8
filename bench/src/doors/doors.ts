import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SecretBox } from '@zonewright/service/secrets'
import { startWorld, type World } from '@zonewright/system-tests/world'
import { withDatabase } from '../database.ts'
import { cpuSecondsOf } from '../dns/process-usage.ts'
import type { PutLoadResult } from '../put-load.ts'
import { untilDone, untilSettled } from '../records/records.ts'
import { type Figure, median, peerOf } from '../report.ts'
import { runProgram } from '../run-program.ts'
import { loadPuts, makeWriter, writerEmail } from '../writer.ts'

const rounds = 5
const clients = 32
const seconds = 4
const zoneCount = 64
const keyCount = 256
/** Concurrent adds. With one key, a minute allows only 300 of them. */
const adds = 400

const putsName = 'PUTs of the same rrsets with 32 clients'

/**
 * Compares the doors with the API of the same installation, in alternating rounds: signed DNS updates from 256 keys for 64 zones, and PUTs of the
 * same record sets. Updates wait for the nameservers, as for a client that sends no other update in the meantime.
 */
export async function doors(): Promise<Figure[]> {
  const world = await startWorld()
  try {
    const writer = await makeWriter(world, zoneCount)
    const keys = await makeSigningKeys(world, keyCount)
    const putter = { ...writer, keys: writer.keys.slice(0, -1) }
    const update = () => loadUpdates(world, { keys, zones: writer.zones }, { clients, seconds })
    const put = () => loadPuts([world.facts.base_url], putter, { clients, seconds })
    await loadPuts([world.facts.base_url], putter, { clients, seconds: 6 }) // warm up
    await loadUpdates(world, { keys, zones: writer.zones }, { clients, seconds: 6 })
    const [updates, puts]: [Measured[], Measured[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      updates.push(await measured(world, update))
      puts.push(await measured(world, put))
    }
    const httpDoors: Figure[] = []
    for (const way of ['powerdns', 'dyndns2'] as const) {
      const through = () => loadPuts([world.facts.base_url], putter, { clients, seconds, way })
      await through() // warm up
      const shares: number[] = []
      for (let round = 0; round < rounds; round++) {
        const { cpuMs } = await measured(world, through)
        shares.push(cpuMs / (await measured(world, put)).cpuMs)
      }
      httpDoors.push(shareOf(httpNames[way], shares))
    }
    const perSecond = updates.map((each) => each.perSecond)
    const beside = [
      peerOf(
        putsName,
        perSecond,
        puts.map((each) => each.perSecond),
      ),
    ]
    const name = `signed updates with ${clients} clients`
    const rate = { name, unit: 'a second', value: median(perSecond), samples: perSecond, beside }
    const p50s = updates.map(({ p50Ms }) => p50Ms)
    const shares = updates.map(({ cpuMs }, i) => cpuMs / (puts[i]?.cpuMs ?? Number.NaN))
    return [
      { ...rate, bar: { kind: 'at least', value: 1_000 } },
      { ...rate, name: 'the same', bar: { kind: 'at least', value: 0.6, against: putsName } },
      shareOf('a signed update', shares),
      ...httpDoors,
      { name: 'a signed update with 32 clients, p50', unit: 'ms', value: median(p50s), samples: p50s },
      ...(await addsAtOnce(world, keys, writer.zones)),
    ]
  } finally {
    await world.stop()
  }
}

const httpNames = { powerdns: 'a PATCH of the PowerDNS door', dyndns2: 'an update of dyndns2' } as const

/** What a change through a door costs. */
function shareOf(what: string, shares: readonly number[]): Figure {
  const name = `processor time of the service and PostgreSQL for ${what}, as a share of that for a PUT`
  return { name, unit: '', value: median(shares), samples: shares, bar: { kind: 'at most', value: 1.5 } }
}

/** A load, and the processor time that the service and PostgreSQL took for each change, events and notifications included. */
type Measured = PutLoadResult & { readonly cpuMs: number }

async function measured(world: World, load: () => Promise<PutLoadResult>): Promise<Measured> {
  const { service, postgres } = world.facts.pids
  await untilSettled(world)
  const before = cpuSecondsOf([service, postgres])
  const result = await load()
  await untilDone(world)
  return { ...result, cpuMs: ((cpuSecondsOf([service, postgres]) - before) * 1_000) / result.acceptedInAll }
}

/** 400 concurrent adds: with many keys none is lost, and with one key 300 are accepted. */
async function addsAtOnce(world: World, keys: readonly string[], zones: readonly string[]): Promise<Figure[]> {
  const [fresh = ''] = await makeSigningKeys(world, 1)
  const [zone = ''] = zones
  const accepted = async (by: readonly string[]): Promise<number> => {
    const args = [world.facts.dns_door.address, by, zone, adds].map(String)
    const { added } = await runProgram<{ added: number }>(new URL('./adds-at-once.ts', import.meta.url), args)
    return added
  }
  const figure = (name: string, value: number, least: number): Figure[] => [
    { name, unit: '', value, samples: [value], bar: { kind: 'at least', value: least } },
    { name: 'the same', unit: '', value, samples: [value], bar: { kind: 'at most', value: least } },
  ]
  return [
    ...figure(`adds to one rrset with ${keyCount} keys that are kept, of ${adds}`, await accepted(keys), adds),
    ...figure(`of ${adds} adds with one key, accepted`, await accepted([fresh]), 300),
  ]
}

function loadUpdates(
  world: World,
  { keys, zones }: { keys: readonly string[]; zones: readonly string[] },
  load: { clients: number; seconds: number },
): Promise<PutLoadResult> {
  const args = [world.facts.dns_door.address, keys, zones, load.clients, load.seconds].map(String)
  return runProgram<PutLoadResult>(new URL('./update-load.ts', import.meta.url), args).then((result) => {
    if (result.refused > 0) throw new Error(`${result.refused} updates were refused under load`)
    return result
  })
}

/** Creates API keys with TSIG secrets, each as `NAME:SECRET`. A person creates them one by one, each with a code. */
async function makeSigningKeys(world: World, copies: number): Promise<string[]> {
  const made = JSON.parse(
    await world.admin(
      'key',
      'create',
      writerEmail,
      `signing ${randomBytes(4).toString('hex')}`,
      '--copies',
      String(copies),
    ),
  ) as { id: string }[]
  const secretKey = (await readFile(join(world.dataDir, 'secret.key'), 'utf8')).trim()
  const box = new SecretBox(Buffer.from(secretKey, 'base64'))
  const keys = made.map(({ id }) => ({ id, secret: randomBytes(32).toString('base64') }))
  await withDatabase(world.databaseUrl, (client) =>
    client.query('insert into api_key_tsig (key_id, secret) select * from unnest($1::text[], $2::bytea[])', [
      keys.map(({ id }) => id),
      keys.map(({ id, secret }) => box.seal('api_key_tsig.secret', id, secret)),
    ]),
  )
  return keys.map(({ id, secret }) => `${id.replace('_', '-')}:${secret}`)
}
