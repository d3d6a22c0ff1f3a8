import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { FrameReader, frame } from '@zonewright/dns'
import { hostAndPort, listen } from '../web/listen.ts'

/** Returns the response to one message, or nothing. */
export type Responder = (wire: Uint8Array, transport: 'udp' | 'tcp') => Promise<Uint8Array | undefined>

export interface DnsServer {
  /** `host:port`, for both UDP and TCP. */
  readonly address: string
  close(): Promise<void>
}

/** Serves DNS over UDP and TCP at `host:port`. With port 0, it uses a port that is free for both. */
export async function startDnsServer(at: string, respond: Responder): Promise<DnsServer> {
  for (;;) {
    try {
      return await listenAt(at, respond)
    } catch (error) {
      // A port that is free for one may be in use for the other.
      if (!at.endsWith(':0') || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

async function listenAt(at: string, respond: Responder): Promise<DnsServer> {
  const connections = new Set<Socket>()
  const tcp = createServer((socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket)).on('error', () => socket.destroy())
    const frames = new FrameReader()
    socket.on('data', async (chunk: Buffer) => {
      for (const wire of frames.feed(chunk)) {
        const answer = await respond(wire, 'tcp').catch(() => undefined)
        if (answer !== undefined && !socket.destroyed) socket.write(frame(answer))
      }
    })
  })
  const address = await listen(tcp, at)
  const { host, port } = hostAndPort(address)
  const udp = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  udp.on('message', async (wire: Uint8Array, from: RemoteInfo) => {
    const answer = await respond(wire, 'udp').catch(() => undefined)
    if (answer !== undefined && !isClosed) udp.send(answer, from.port, from.address, () => undefined)
  })
  udp.bind(port, host)
  let isClosed = false
  await once(udp, 'listening').catch((error: unknown) => {
    tcp.close()
    throw error
  })
  return {
    address,
    close: async () => {
      isClosed = true
      udp.close()
      for (const socket of connections) socket.destroy()
      tcp.close()
      await once(tcp, 'close')
    },
  }
}
