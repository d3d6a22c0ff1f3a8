import type { Answer } from '../answer.ts'
import { type Endpoint, endpointToText } from '../endpoint.ts'
import type { Log } from '../log.ts'
import { reasonOf, StartupFault, systemCodeOf } from '../startup-fault.ts'
import type { Door } from './door.ts'
import { openPortableDoor } from './portable.ts'
import { tcpDoor, usualTcpLimits } from './tcp.ts'

const freePortAttempts = 20

/**
 * Opens UDP and TCP on every endpoint, both on the same port also where the port was 0.
 *
 * @throws StartupFault when one cannot be had; those already open are closed again.
 */
export async function openDoors(listen: readonly Endpoint[], answer: Answer, log: Log): Promise<Door[]> {
  const doors: Door[] = []
  try {
    for (const endpoint of listen) doors.push(await openPair(endpoint, answer, log))
    return doors
  } catch (error) {
    await Promise.all(doors.map((door) => door.close()))
    throw error
  }
}

async function openPair(endpoint: Endpoint, answer: Answer, log: Log): Promise<Door> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await openBoth(endpoint, answer, log)
    } catch (error) {
      // A port that was free for TCP may be taken for UDP: draw another one.
      const isTaken = systemCodeOf(error) === 'EADDRINUSE'
      if (isTaken && endpoint.port === 0 && attempt < freePortAttempts) continue
      const why = isTaken ? 'the port is taken by another process' : reasonOf(error)
      throw new StartupFault(`--listen ${endpointToText(endpoint)}: ${why}`)
    }
  }
}

async function openBoth(endpoint: Endpoint, answer: Answer, log: Log): Promise<Door> {
  const tcp = await tcpDoor(usualTcpLimits)(endpoint, answer, log)
  try {
    const udp = await openPortableDoor(tcp.endpoint, answer, log)
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
