import { once } from 'node:events'
import { type AddressInfo, createServer, isIP } from 'node:net'
import { type Endpoint, endpointToText } from '../endpoint.ts'
import type { InheritedEndpoint } from '../listen/inherited.ts'
import { reasonOf, StartupFault, systemCodeOf } from '../startup-fault.ts'
import type { Door } from './door.ts'

const freePortAttempts = 20

/** Opens one kind of door. Rejects with Node's system error if the address is not available. */
export type OpenOne = (endpoint: Endpoint) => Promise<Door>

/**
 * Opens UDP and TCP on every endpoint, both on the same port, even if the requested port is 0.
 *
 * @throws StartupFault if one is not available; those already open are closed again.
 */
export async function openDoors(listen: readonly Endpoint[], openTcp: OpenOne, openUdp: OpenOne): Promise<Door[]> {
  const doors: Door[] = []
  try {
    for (const endpoint of listen) doors.push(await openPair(endpoint, openTcp, openUdp))
    return doors
  } catch (error) {
    await closeAll(doors)
    throw error
  }
}

export async function closeAll(doors: readonly Door[]): Promise<void> {
  await Promise.all(doors.map((door) => door.close()))
}

/** Opens and closes every endpoint, without answering queries, to check that it is available. @throws StartupFault if one is not available */
export async function checkDoors(listen: readonly Endpoint[]): Promise<void> {
  const openUdp = async (endpoint: Endpoint): Promise<Door> => ({ endpoint, close: async () => undefined })
  await closeAll(await openDoors(listen, listenForAMoment, openUdp))
}

async function listenForAMoment({ host, port }: Endpoint): Promise<Door> {
  const server = createServer((socket) => socket.destroy())
  await once(server.listen({ host, port, ipv6Only: isIP(host) === 6 }), 'listening')
  const close = async (): Promise<void> => {
    await once(server.close(), 'close')
  }
  return { endpoint: { host, port: (server.address() as AddressInfo).port }, close }
}

/** Opens doors on sockets that another process opened and keeps. @throws StartupFault */
export async function openInheritedDoors(
  inherited: readonly InheritedEndpoint[],
  openTcp: (endpoint: Endpoint, descriptor: number) => Promise<Door>,
  openUdp: (endpoint: Endpoint, descriptors: readonly number[]) => Promise<Door>,
): Promise<Door[]> {
  const doors: Door[] = []
  try {
    for (const { endpoint, tcp, udp } of inherited) {
      const parts = [await openUdp(endpoint, udp)]
      doors.push({ endpoint, close: () => Promise.all(parts.map((part) => part.close())).then(() => {}) })
      for (const descriptor of tcp) parts.push(await openTcp(endpoint, descriptor))
    }
    return doors
  } catch (error) {
    await closeAll(doors)
    throw new StartupFault(`a socket of the socket unit cannot be used: ${reasonOf(error)}`)
  }
}

async function openPair(endpoint: Endpoint, openTcp: OpenOne, openUdp: OpenOne): Promise<Door> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await openBoth(endpoint, openTcp, openUdp)
    } catch (error) {
      // A port that is free for TCP may be in use for UDP: try another one.
      const isTaken = systemCodeOf(error) === 'EADDRINUSE'
      if (isTaken && endpoint.port === 0 && attempt < freePortAttempts) continue
      const why = isTaken ? 'the port is taken by another process' : reasonOf(error)
      throw new StartupFault(`--listen ${endpointToText(endpoint)}: ${why}`)
    }
  }
}

async function openBoth(endpoint: Endpoint, openTcp: OpenOne, openUdp: OpenOne): Promise<Door> {
  // TCP first, because UDP sockets can share a port.
  const tcp = await openTcp(endpoint)
  try {
    const udp = await openUdp(tcp.endpoint)
    return {
      endpoint: tcp.endpoint,
      close: async () => {
        await Promise.all([udp.close(), tcp.close()])
      },
    }
  } catch (error) {
    await tcp.close()
    throw error
  }
}
