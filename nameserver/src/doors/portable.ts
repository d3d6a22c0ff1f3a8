import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { maxAddressBytes, writeAddress } from '../address.ts'
import type { OpenDoor } from './door.ts'

const bufferBytes = 4 * 1024 * 1024

/** DNS over UDP with Node's own `dgram`, which runs everywhere. IPv4 or IPv6, depending on the address. */
export const openPortableDoor: OpenDoor = async (endpoint, answer, log) => {
  const family = isIP(endpoint.host) === 6 ? 6 : 4
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    ipv6Only: family === 6,
    recvBufferSize: bufferBytes,
    // Peers are always IP addresses. Without this, each response would wait for a lookup of the address.
    lookup: (host, _options, found) => found(null, host, family),
  })
  const client = new DataView(new ArrayBuffer(maxAddressBytes), 0, family === 6 ? 16 : 4)
  socket.on('message', (query, peer) => {
    writeAddress(peer.address, client, 0)
    const response = answer(query, 'udp', client)
    if (response && peer.port !== 0) socket.send(response, peer.port, peer.address, ignoreFault)
  })
  const listening = once(socket, 'listening')
  socket.bind(endpoint.port, endpoint.host)
  try {
    await listening
  } catch (error) {
    socket.close()
    throw error
  }
  socket.on('error', (error) => log.error('udp socket', { listen: endpoint.host, reason: error.message }))
  return {
    endpoint: { host: endpoint.host, port: socket.address().port },
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

// An answer that cannot be sent is lost like any datagram: the client retries.
function ignoreFault(): void {}
