import type { Endpoint } from '../../endpoint.ts'
import { addressAt, Datagrams, slotAt } from './datagrams.ts'
import { type Libc, openLibc } from './libc.ts'
import { UdpSocket, writeSocketAddress } from './udp-socket.ts'

const word = 0x5a6f6e65
const loopback: Endpoint = { host: '127.0.0.1', port: 0 }

/**
 * Sends a datagram to itself as the fast door does, to check that the calls exist and that the memory layout is as expected.
 *
 * @throws Error with the reason why the fast door cannot be used here
 */
export function testLibc(): Libc {
  const libc = openLibc()
  const socket = UdpSocket.open(libc, loopback)
  try {
    const datagrams = new Datagrams(libc)
    const { view } = datagrams
    view.setUint32(slotAt(0), word)
    datagrams.setLength(0, 4)
    writeSocketAddress(new DataView(view.buffer, addressAt(0)), loopback.host, socket.endpoint.port)
    if (datagrams.send(socket.descriptor, 0, 1) !== 0) throw new Error(`sending failed: errno ${libc.errorNumber()}`)
    view.setUint32(slotAt(0), 0)
    datagrams.reset(1)
    const count = datagrams.receive(socket.descriptor)
    const isSame = count === 1 && datagrams.lengthOf(0) === 4 && view.getUint32(slotAt(0)) === word
    if (!isSame) throw new Error('a datagram sent to ourselves did not come back')
    return libc
  } finally {
    socket.close()
  }
}
