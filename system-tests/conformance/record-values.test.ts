// Every value that the API accepts loads everywhere: hundreds of values of every type, as zone files and on third-party nameservers.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import {
  groupRecords,
  parseName,
  parseZoneFile,
  type RrType,
  supportedTypes,
  typeToText,
  writeZoneFile,
} from '@zonewright/dns'
import { anyDataOf, unwrittenTypes, writableValues } from '@zonewright/dns/rdata-samples.test'
import { askUdp, eventually, nightlyTest } from '../world/index.ts'
import { answered, transferred } from './peers/kdig.ts'
import { peerWorld } from './peers/peer-world.ts'
import { powerdns } from './peers/powerdns.ts'

const valuesEach = 600
const run = promisify(execFile)

const types = [...new Set([...supportedTypes(), ...anyDataOf.keys()])].filter((type) => !unwrittenTypes.has(type))
const folder = mkdtempSync(join(tmpdir(), 'zonewright-values-'))
/** A zone holds several types, because each zone has to be announced, transferred and queried. */
const typesEach = 8
const zoneOf = (type: RrType): string => `z${Math.floor(types.indexOf(type) / typesEach)}.values.test`
const zones = [...Map.groupBy(types, zoneOf)]
const valuesOf = new Map(types.map((type) => [type, writableValues(type, valuesEach)]))

/** Records of some types, one value at each name; `passed` rotates the values by this many names. */
function linesOf(some: readonly RrType[], passed = 0): string {
  return some
    .flatMap((type) => {
      const values = valuesOf.get(type) ?? []
      const name = typeToText(type).toLowerCase()
      return [...values.slice(passed), ...values.slice(0, passed)].map(
        (value, i) => `v${i}.${name} 300 IN ${name} ${value}\n`,
      )
    })
    .join('')
}

/** Checkers of zone files. Other records that a zone lacks, such as the NS for a DS, do not make a transfer fail. */
const checkers: readonly (readonly [program: string, args: (zone: string, file: string) => readonly string[]])[] = [
  ['named-checkzone', (zone, file) => ['-i', 'none', '-k', 'ignore', zone, file]],
  ['kzonecheck', (zone, file) => ['-d', 'off', '-o', zone, file]],
  ['nsd-checkzone', (zone, file) => [zone, file]],
]

/** BIND no longer accepts mail destinations (RFC 973) from a file, but does by transfer. */
const isObsoleteInFiles = (program: string, type: string): boolean =>
  program === 'named-checkzone' && (type === 'MD' || type === 'MF')

const { world, peers, primary, key } = await peerWorld()

/** Waits until every nameserver has every zone unchanged. */
async function allFollow(): Promise<void> {
  const serials = new Map<string, unknown>()
  for (const [zone] of zones) serials.set(zone, (await world.api.call('GET', `/zones/${zone}`)).body['serial'])
  for (const { peer, listen, running } of peers) {
    const behind = new Set(serials.keys())
    await eventually(
      `${peer.name} has every zone as it is`,
      async () => {
        for (const zone of behind) {
          const { answers } = await askUdp(listen, zone, 'SOA')
          if (answers[0]?.includes(`"serial":${serials.get(zone)},`)) behind.delete(zone)
        }
        assert.deepEqual([...behind], [], `${peer.name} is behind:\n${running.said().slice(-3_000)}`)
        return true
      },
      90_000,
    )
  }
}

for (const [program, args] of checkers) {
  test(`${program} loads ${valuesEach} values of every type that we export`, async () => {
    for (const [zone, all] of zones) {
      const some = all.filter((type) => !isObsoleteInFiles(program, typeToText(type)))
      const origin = parseName(`${zone}.`)
      const text = `$TTL 300\n@ SOA ns.example.net. host.example.net. 1 2 3 4 5\n@ NS ns.example.net.\n${linesOf(some)}`
      const { records, faults } = parseZoneFile(text, { origin })
      assert.deepEqual(faults, [])
      const file = join(folder, `${zone}.zone`)
      writeFileSync(file, writeZoneFile(origin, groupRecords(records)))
      const said = await run(program, args(zone, file)).then(
        () => undefined,
        ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
      )
      // A server does not refuse a zone for missing DNSSEC records.
      const isLoaded =
        said === undefined ||
        (program === 'kzonecheck' && /^Error summary:(\n\s*\d+\tinvalid algorithm in DS)+\s*$/m.test(said))
      assert.ok(isLoaded, `${program} refuses one of ${some.map(typeToText)}: ${said?.slice(0, 2_000)}`)
    }
  })
}

test('every nameserver loads hundreds of values of every type that the API accepts', async () => {
  for (const [zone, some] of zones) {
    await world.admin('zone', 'add', world.facts.account.email, zone)
    const imported = await world.api.call('POST', `/zones/${zone}/import`, linesOf(some))
    assert.equal(imported.status, 200, `${some.map(typeToText)}: ${JSON.stringify(imported.body).slice(0, 500)}`)
    for (const { running } of peers) running.list?.add(zone)
  }
  await allFollow()
})

/** The first ten names of each type; kdig cannot read Knot’s answers to MD and MF. */
const isAsked = /^v\d\.(?!m[df]\.)/

nightlyTest('every nameserver serves the new values when all of these values are replaced', async () => {
  for (const [zone, some] of zones) {
    const imported = await world.api.call('POST', `/zones/${zone}/import?mode=replace`, linesOf(some, 1))
    assert.equal(imported.status, 200, `${some.map(typeToText)}: ${JSON.stringify(imported.body).slice(0, 500)}`)
  }
  await allFollow()
  for (const [zone, some] of zones) {
    const records = transferred(primary, key, zone).filter((line) => isAsked.test(line))
    assert.ok(records.length >= Math.max(10, 10 * (some.length - 2)), `${records.length} records`)
    for (const { peer, listen } of peers) {
      // PowerDNS stores records as text, and returns some in another form: an APL network without the bits beyond its prefix.
      const compared = (record: string): string =>
        peer === powerdns ? record.split(' ').slice(0, 4).join(' ') : record
      const served = new Set(answered(listen, records).map(compared))
      assert.deepEqual(
        records.filter((record) => !served.has(compared(record))),
        [],
        `${peer.name} serves all of ${some.map(typeToText)}`,
      )
    }
  }
})

test('the values cover every type', () => {
  for (const type of types) assert.ok((valuesOf.get(type)?.length ?? 0) >= (valuesEach * 5) / 6, typeToText(type))
  for (const type of unwrittenTypes) assert.ok(anyDataOf.has(type))
  assert.deepEqual(
    supportedTypes().filter((type) => !types.includes(type) && !unwrittenTypes.has(type)),
    [],
  )
})
