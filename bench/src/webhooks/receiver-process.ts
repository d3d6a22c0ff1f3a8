// The receivers of a bench, as a process of their own: receiver-process.ts CA_FILE HOSTS.
//
// https://h<n>.hooks.test:<port>/e/<endpoint> answers 200 at once, …/hang/<endpoint> never. Each host has a certificate of its own, by SNI. Its DNS
// server resolves every name to 127.0.0.1. Requests are parsed as little as possible, because the bench measures the sender.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createSecureContext, createServer, type SecureContext, type TLSSocket } from 'node:tls'
import { buildMessage, parseMessage, parseRdata, RrType, responseTo } from '@zonewright/dns'
import { createAuthority } from '@zonewright/sandbox'
import { now, type Received, type ReceiverReady } from './receivers.ts'

const [caFile = '', hostsText = ''] = process.argv.slice(2)
const tellEveryMs = 50
const okAnswer = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

const authority = createAuthority('Zonewright bench')
writeFileSync(caFile, authority.cert)
const contexts = new Map<string, SecureContext>(
  Array.from({ length: Number(hostsText) }, (_, i) => {
    const host = `h${i}.hooks.test`
    return [host, createSecureContext(authority.issue([host]))]
  }),
)

let received: Received[] = []
const server = createServer({ SNICallback: (name, callback) => callback(null, contexts.get(name)) }, receive)
server.on('tlsClientError', () => undefined)
server.listen(0, '127.0.0.1')
const dns = createSocket('udp4')
dns.on('message', (wire, from) => {
  const query = parseMessage(wire)
  const [question] = query.questions
  if (question === undefined) return
  const answers = question.type === RrType.A ? [{ ...question, ttl: 60, data: parseRdata(RrType.A, '127.0.0.1') }] : []
  dns.send(buildMessage(responseTo(query, { questions: query.questions, ra: true, answers })), from.port, from.address)
})
dns.bind(0, '127.0.0.1')
await Promise.all([once(server, 'listening'), once(dns, 'listening')])
setInterval(tell, tellEveryMs)
process.send?.({ port: portOf(server.address()), dnsPort: portOf(dns.address()) } satisfies ReceiverReady)
process.on('disconnect', () => process.exit())

function portOf(address: AddressInfo | string | null): number {
  return (address as AddressInfo).port
}

function receive(socket: TLSSocket): void {
  let rest = ''
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  socket.on('data', (bytes: Buffer) => {
    rest += bytes.toString('latin1')
    for (;;) {
      const headEnd = rest.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const head = rest.slice(0, headEnd)
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      if (rest.length < headEnd + 4 + length) return
      rest = rest.slice(headEnd + 4 + length)
      const [, kind, endpoint] = /^POST \/(e|hang)\/(\d+)/.exec(head) ?? []
      received.push([Number(endpoint), /\r\nservice-event-id: *(\S+)/i.exec(head)?.[1] ?? '', now()])
      if (kind === 'e') socket.write(okAnswer)
    }
  })
}

function tell(): void {
  if (received.length === 0) return
  process.send?.(received)
  received = []
}
