import { createSocket } from 'node:dgram'
import { buildMessage, DnsClass, parseMessage, parseName, Rcode, RrType } from '@zonewright/dns'
import { zoneName } from './zones/zone-set.ts'

const askEveryMs = 2

/** Resolves as soon as the nameserver at a port has the address of a zone's `www`. Rejects after `timeoutMs`. */
export function untilAnswered(port: number, zone: number, timeoutMs = 120_000): Promise<void> {
  const question = { name: parseName(`www.${zoneName(zone)}.`), type: RrType.A, class: DnsClass.IN }
  const query = buildMessage({ id: zone & 0xffff, questions: [question] })
  const socket = createSocket('udp4')
  return new Promise<void>((resolve, reject) => {
    const ask = setInterval(() => socket.send(query, port, '127.0.0.1'), askEveryMs)
    const give = setTimeout(() => end(() => reject(new Error(`${question.name} was not answered`))), timeoutMs)
    const end = (settle: () => void) => {
      clearInterval(ask)
      clearTimeout(give)
      socket.close()
      settle()
    }
    socket.on('message', (wire) => {
      const { rcode, answers } = parseMessage(wire)
      if (rcode === Rcode.NOERROR && answers.length === 1) end(resolve)
    })
  })
}
