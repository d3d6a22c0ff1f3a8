import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo, Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { createAuthority } from '@zonewright/sandbox'

/** An authority for a test's receivers, and a file with its certificate, in the form of WEBHOOK_CA_FILE. */
export async function createTestAuthority(
  name: string,
): Promise<{ authority: ReturnType<typeof createAuthority>; caFile: string }> {
  const authority = createAuthority(name)
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-receiver-'))
  after(() => rm(folder, { recursive: true }))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, authority.cert)
  return { authority, caFile }
}

/** Listens on a free port of 127.0.0.1 and returns the port. After the tests, the server and its connections are closed. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
