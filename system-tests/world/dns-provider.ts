import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import packet, { type Packet } from 'dns-packet'

/** Another DNS provider, which hosts a domain before it moves here: one nameserver over UDP, built with dns-packet. */
export interface DnsProvider {
  /** `host:port`. */
  readonly address: string
  /** Sets the TXT records of a name. */
  set(name: string, texts: readonly string[]): void
  close(): Promise<void>
}

/** Every name below these zones exists, with the TXT records that it was given. */
export async function startDnsProvider(zones: readonly string[]): Promise<DnsProvider> {
  const texts = new Map<string, readonly string[]>()
  const socket = createSocket('udp4')
  socket.on('message', (wire, from) => {
    const query = packet.decode(wire)
    const [question] = query.questions ?? []
    const name = question?.name.toLowerCase() ?? ''
    const zone = zones.find((each) => name === each || name.endsWith(`.${each}`))
    const found = question?.type === 'TXT' ? (texts.get(name) ?? []) : []
    const answer: Packet = {
      type: 'response',
      ...(query.id !== undefined && { id: query.id }),
      flags: packet.AUTHORITATIVE_ANSWER | (zone === undefined ? 5 : 0),
      questions: query.questions ?? [],
      answers: found.map((data) => ({ type: 'TXT', name: question?.name ?? '', ttl: 1, data: [data] })),
    }
    socket.send(packet.encode(answer), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    set: (name, values) => void texts.set(name.toLowerCase(), values),
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}
