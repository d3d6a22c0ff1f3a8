import { createSocket } from 'node:dgram'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { buildMessage, DnsClass, parseName, RrType } from '@zonewright/dns'

/** Few enough that a socket's buffer holds all of them. */
const atOnce = 50

/** Sends packets that are not valid messages: truncated, with changed bytes, with pointer loops, with counts that are too high. */
export async function sendMalformed(port: number, count: number): Promise<void> {
  const socket = createSocket('udp4')
  try {
    for (let sent = 0; sent < count; sent++) {
      const packet = malformed(sent)
      await new Promise<void>((resolve) => socket.send(packet, port, '127.0.0.1', () => resolve()))
      if (sent % atOnce === 0) await nextTurn()
    }
  } finally {
    socket.close()
  }
}

function malformed(index: number): Uint8Array {
  const question = {
    name: parseName(`www.z${String(index % 1000).padStart(6, '0')}.example.`),
    type: RrType.A,
    class: DnsClass.IN,
  }
  const edns = { udpSize: 1232, version: 0, dnssecOk: true, options: [] }
  const packet = buildMessage({ id: index & 0xffff, questions: [question], edns })
  const noise = (index * 2_654_435_761) >>> 0
  if (index % 4 === 0) return packet.subarray(0, noise % packet.length)
  if (index % 4 === 1) packet.set([0xc0, 0x0c], 12)
  else if (index % 4 === 2) packet[4 + (noise % 8)] = noise >>> 24
  else for (let byte = 0; byte < 8; byte++) packet[(noise + byte * 7) % packet.length] = (noise >>> byte) & 255
  return packet
}
