import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { promisify } from 'node:util'
import {
  buildResponse,
  cookieOf,
  cookieOption,
  extendedErrorOption,
  InfoCode,
  joinName,
  makeServerCookie,
  OptionCode,
  optionOf,
  parseMessage,
  parseRdata,
  Rcode,
  RrType,
  readUpdate,
  responseTo,
  type Update,
} from './index.ts'
import { sipHash24 } from './siphash.test.ts'
import { example } from './zone-samples.test.ts'

const run = promisify(execFile)
const secret = new Uint8Array(16).fill(7)
const address = Uint8Array.of(127, 0, 0, 1)

for (const [program, ...expected] of [
  ['dig', /EDE: 20 \(Not Authoritative\): \(not here\)/, /\(good\)/, /NSID: .*"ns1"/],
  ['kdig', /EDE: 20 .*not here/, /COOKIE: 0011223344556677/, /NSID: .*"ns1"/],
] as const) {
  test(`${program} reads the cookie, the name and the extended error of an answer`, async () => {
    const server = await serverOf(refusal)
    try {
      const asked = ['+nsid', '+cookie=0011223344556677', '+norecurse', example, 'A']
      const { stdout } = await run(program, ['@127.0.0.1', '-p', String(server.address().port), ...asked])
      for (const form of expected) assert.match(stdout, form)
      assert.doesNotMatch(stdout, /warning|malformed/i)
    } finally {
      server.close()
    }
  })
}

test('reads the updates that nsupdate sends', async () => {
  const updates: Update[] = []
  const server = await serverOf((wire) => {
    const message = parseMessage(wire)
    updates.push(readUpdate(message))
    return buildResponse(wire, responseTo(message))
  })
  try {
    const child = spawn('nsupdate', { stdio: ['pipe', 'ignore', 'inherit'] })
    child.stdin.end(`server 127.0.0.1 ${server.address().port}
zone example.com
prereq yxdomain a.example.com
prereq nxdomain b.example.com
prereq yxrrset c.example.com A
prereq nxrrset d.example.com A
prereq yxrrset e.example.com A 192.0.2.1
update add f.example.com 60 HTTPS 1 . alpn=h2
update delete g.example.com
update delete h.example.com A
update delete i.example.com A 192.0.2.1
send
`)
    assert.deepEqual(await once(child, 'exit'), [0, null])
  } finally {
    server.close()
  }
  const name = (label: string) => joinName(label, example)
  const [type, data] = [RrType.A, parseRdata(RrType.A, '192.0.2.1')]
  const service = { type: RrType.HTTPS, ttl: 60, data: parseRdata(RrType.HTTPS, '1 . alpn=h2') }
  const expected: Update = {
    zone: example,
    prerequisites: [
      { kind: 'name-in-use', name: name('a') },
      { kind: 'name-not-in-use', name: name('b') },
      { kind: 'rrset-exists', name: name('c'), type },
      { kind: 'rrset-missing', name: name('d'), type },
      { kind: 'record-exists', name: name('e'), type, data },
    ],
    changes: [
      { kind: 'add-record', record: { name: name('f'), ...service } },
      { kind: 'delete-name', name: name('g') },
      { kind: 'delete-rrset', name: name('h'), type },
      { kind: 'delete-record', name: name('i'), type, data },
    ],
  }
  assert.deepEqual(updates, [expected])
})

/** A server on a free port that answers every message. */
async function serverOf(answer: (wire: Uint8Array) => Uint8Array): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.on('message', (wire, client) => socket.send(answer(wire), client.port, client.address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}

/** A refusal with a cookie, an NSID and an extended error. */
function refusal(wire: Uint8Array): Uint8Array {
  const query = parseMessage(wire)
  const client = cookieOf(query.edns)?.client ?? assert.fail('the query has no cookie')
  assert.ok(optionOf(query.edns, OptionCode.NSID))
  const server = makeServerCookie({ client, address, unixSeconds: 1_700_000_000 }, secret, sipHash24)
  const options = [
    cookieOption({ client, server }),
    { code: OptionCode.NSID, data: Buffer.from('ns1') },
    extendedErrorOption({ infoCode: InfoCode.NOT_AUTHORITATIVE, text: 'not here' }),
  ]
  const edns = { udpSize: 1232, version: 0, dnssecOk: false, options }
  return buildResponse(wire, responseTo(query, { rcode: Rcode.REFUSED, edns }))
}
