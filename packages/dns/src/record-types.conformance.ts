import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import {
  axfrAnswers,
  type DomainName,
  FrameReader,
  frame,
  groupRecords,
  joinName,
  parseMessage,
  parseRdata,
  parseType,
  parseZoneFile,
  type ResourceRecord,
  RrType,
  rdataToText,
  supportedTypes,
  transferMessages,
  typeToText,
  writeZoneFile,
  Zone,
} from './index.ts'
import { canonicalForms } from './rdata-samples.test.ts'
import { example, recordsFrom } from './zone-samples.test.ts'

const run = promisify(execFile)

/** The SOA is only at the apex, and no nameserver ever sees an ALIAS. */
const unpublished: ReadonlySet<RrType> = new Set([RrType.SOA, RrType.ALIAS])

/** One record for each example of a canonical form that is not in the generic form, under a name of its own. */
const samples: ResourceRecord[] = canonicalForms
  .map(([type, , canonical]) => ({ type: parseType(type), canonical }))
  .filter(({ type, canonical }) => !unpublished.has(type) && (type >= 65280 || !canonical.startsWith('\\# ')))
  .map(({ type, canonical }, index) => ({
    // Eight digits are base 32, as the owner of an NSEC3 must be.
    name: joinName(String(index).padStart(8, '0'), example),
    type,
    ttl: 300,
    data: parseRdata(type, canonical),
  }))

const zone = Zone.fromRrsets(
  example,
  groupRecords([...recordsFrom('@ SOA ns host 1 14400 3600 1209600 300\n@ NS ns.example.net.\n'), ...samples]),
)

test('named-checkzone loads a record of every type and understands it as we do', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'zonewright-types-')), 'types.zone')
  // BIND 9.18 does not know the name of this parameter, and no longer accepts mail destinations (MD, MF).
  const known = samples.filter(({ type }) => type !== RrType.MD && type !== RrType.MF)
  const rrsets = [...zone.rrsets()].filter(({ type }) => type !== RrType.MD && type !== RrType.MF)
  writeFileSync(file, writeZoneFile(example, rrsets).replaceAll(' ohttp', ' key8'))
  const { stdout } = await run('named-checkzone', ['-i', 'none', '-k', 'ignore', '-o', '-', '-D', example, file])
  assertSameRecords(stdout, known)
})

for (const program of ['kdig', 'dig']) {
  test(`${program} reads a transfer with a record of every type and understands it as we do`, async () => {
    const server = await primaryOf(zone)
    try {
      const address = server.address()
      assert.ok(address !== null && typeof address === 'object')
      const { stdout } = await run(program, ['@127.0.0.1', '-p', String(address.port), example, 'AXFR'])
      assertSameRecords(stdout, samples)
    } finally {
      server.close()
    }
  })
}

/** Asserts that `text`, a zone file written by other software, has every record with the same bytes. */
function assertSameRecords(text: string, expected: readonly ResourceRecord[]): void {
  const lines = text.split('\n').filter((line) => /^\S+\s+\d+\s+IN\s/.test(line))
  const { records, faults } = parseZoneFile(lines.join('\n'), { origin: example })
  assert.deepEqual(faults, [])
  const dataOf = new Map<DomainName, Uint8Array>(records.map(({ name, data }) => [name, data]))
  for (const { name, type, data } of expected) {
    const theirs = dataOf.get(name) ?? assert.fail(`${typeToText(type)} ${rdataToText(type, data)} is missing`)
    assert.equal(rdataToText(type, theirs), rdataToText(type, data))
    assert.deepEqual(theirs, data)
  }
}

/** A server of one zone that answers every question with a transfer. */
async function primaryOf(served: Zone): Promise<Server> {
  const server = createServer((socket) => {
    const reader = new FrameReader()
    socket.on('data', (chunk: Buffer) => {
      for (const wire of reader.feed(chunk)) {
        const query = parseMessage(wire)
        for (const answer of transferMessages(query, wire, axfrAnswers(served.rrsets()))) socket.write(frame(answer))
      }
    })
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

test('every published type is among the samples, or is the SOA of the zone itself', () => {
  const types = new Set([...samples.map(({ type }) => type), ...unpublished])
  assert.deepEqual(
    supportedTypes().filter((type) => !types.has(type)),
    [],
  )
})
