import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { openTo } from '#testing/tcp-proxy.ts'

/** A pooler in front of a real PostgreSQL. */
export interface TestPooler {
  readonly url: string
  close(): Promise<void>
}

const codes = { terminate: 0x58, keyData: 0x4b, ready: 0x5a }
const idle = 0x49

/**
 * Starts a server that behaves like pgbouncer: it announces its own server processes and, in transaction mode, gives each transaction to the server
 * session that was idle longest. Messages of an unused session, such as notifications, are lost. It never waits for a session, because there are as
 * many as clients. It does not support clients that send a statement before the response to the last one.
 */
export async function testPooler(serverUrl: string, mode: 'transaction' | 'session'): Promise<TestPooler> {
  const sockets = new Set<Socket>()
  const free: Socket[] = []
  const users = new Map<Socket, Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    keep(client)
    const own = keep(openTo(serverUrl))
    let isIn = false
    let session: Socket | undefined = own
    users.set(own, client)
    eachMessage(own, (message) => {
      const user = users.get(own)
      if (message[0] === codes.keyData) message.writeInt32BE(message.readInt32BE(5) + 1_000_000, 5)
      user?.write(message)
      if (message[0] !== codes.ready) return
      isIn = true
      if (mode === 'session' || message[5] !== idle) return
      users.delete(own)
      free.push(own)
    })
    client.on('data', (data) => {
      if (data[0] === codes.terminate) return void client.end()
      if (isIn && mode === 'transaction') {
        session = [...users].find(([, user]) => user === client)?.[0] ?? free.shift()
        if (session !== undefined) users.set(session, client)
      }
      session?.write(data)
    })
    client.on('close', () => mode === 'session' && own.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
    },
  }
}

/** Calls `take` with each whole message of a server (PostgreSQL manual 54.7): a code, and a length that includes itself. */
function eachMessage(from: Socket, take: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0)
  from.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1)
      take(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  })
}
