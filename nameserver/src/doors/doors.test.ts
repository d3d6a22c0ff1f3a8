import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Endpoint } from '../endpoint.ts'
import type { Answer } from '../responder/answer.ts'
import { queryFor, sendTcp, sendUdp } from '../testing/ask.ts'
import { keptLog } from '../testing/kept-log.ts'
import { canListen } from '../testing/scripted-primary.ts'
import { openDoors } from './open-doors.ts'
import { openPortableDoor } from './portable.ts'
import { tcpDoor, usualTcpLimits } from './tcp.ts'

/** Returns the query, with the transport in its first byte. */
const echo: Answer = (query, transport) => {
  const answer = query.slice()
  answer[0] = transport === 'udp' ? 1 : 2
  return answer
}

function open(listen: readonly Endpoint[]) {
  const openTcp = tcpDoor(usualTcpLimits)
  return openDoors(
    listen,
    (endpoint) => openTcp(endpoint, echo, keptLog()),
    (endpoint) => openPortableDoor(endpoint, echo, keptLog()),
  )
}

describe('doors', () => {
  it('open UDP and TCP on the same free port, over IPv4 and IPv6', async (test) => {
    for (const host of ['127.0.0.1', '::1']) {
      if (host === '::1' && !(await canListen(host))) continue
      const [door] = await open([{ host, port: 0 }])
      assert.ok(door)
      test.after(() => door.close())
      const query = queryFor('www.example.', 'A')
      assert.equal((await sendUdp(door.endpoint, query))[0], 1)
      assert.equal((await sendTcp(door.endpoint, [query]))[0]?.[0], 2)
    }
  })

  it('are all closed again if one of them cannot be opened', async () => {
    const [taken] = await open([{ host: '127.0.0.1', port: 0 }])
    const [free] = await open([{ host: '127.0.0.1', port: 0 }])
    assert.ok(taken && free)
    await free.close()
    await assert.rejects(open([free.endpoint, taken.endpoint]), /port is taken/)
    const [again] = await open([free.endpoint])
    await Promise.all([taken.close(), again?.close()])
  })
})
