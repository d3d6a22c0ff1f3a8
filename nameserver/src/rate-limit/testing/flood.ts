import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { type Message, parseMessage, Rcode } from '@zonewright/dns'
import type { Endpoint } from '../../endpoint.ts'
import { eventually } from '../../testing/eventually.ts'

/** What came back to a flood. Whole answers are those that are neither truncated nor BADCOOKIE. */
export interface Heard {
  responses: number
  bytes: number
  whole: number
  truncated: number
  badCookie: number
  /** Bytes of the longest answer that was truncated or BADCOOKIE. */
  longestLimited: number
  /** The indexes of the queries whose answers were truncated. */
  readonly again: number[]
  /** The last answer. */
  last: Message | undefined
}

const underWay = 50

/**
 * Sends all queries by UDP from the addresses in turn, as fast as they are answered, and waits until each has its
 * response: it fails if one is dropped.
 */
export async function flood(server: Endpoint, from: readonly string[], queries: readonly Uint8Array[]): Promise<Heard> {
  const counts = { responses: 0, bytes: 0, whole: 0, truncated: 0, badCookie: 0, longestLimited: 0 }
  const heard: Heard = { ...counts, again: [], last: undefined }
  const sockets = await Promise.all(from.map(boundSocket))
  let sent = 0
  const send = () => {
    for (; sent < queries.length && sent - heard.responses < underWay; sent++) {
      const wire = Uint8Array.from(queries[sent] ?? [])
      new DataView(wire.buffer).setUint16(0, sent)
      sockets[sent % sockets.length]?.send(wire, server.port, server.host)
    }
  }
  for (const socket of sockets) {
    socket.on('message', (wire) => {
      note(heard, wire)
      send()
    })
  }
  try {
    send()
    await eventually('each query has a response', () => heard.responses === queries.length, 20_000)
    return heard
  } finally {
    for (const socket of sockets) socket.close()
  }
}

async function boundSocket(address: string) {
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  const listening = once(socket, 'listening')
  socket.bind(0, address)
  await listening
  return socket
}

function note(heard: Heard, wire: Uint8Array): void {
  const message = parseMessage(wire)
  heard.responses++
  heard.bytes += wire.length
  heard.last = message
  const isBadCookie = message.rcode === Rcode.BADCOOKIE
  if (isBadCookie) heard.badCookie++
  else if (message.tc) heard.truncated++
  else heard.whole++
  if (isBadCookie || message.tc) heard.longestLimited = Math.max(heard.longestLimited, wire.length)
  if (message.tc) heard.again.push(message.id)
}
