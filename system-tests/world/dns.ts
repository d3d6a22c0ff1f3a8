import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import packet, { type Packet } from 'dns-packet'
import { eventually } from './eventually.ts'

/** A response, reduced to what tests check. Parsed by the npm package dns-packet, which is independent of our code. */
export interface DnsAnswer {
  readonly rcode: string
  readonly aa: boolean
  readonly answers: string[]
}

/** Without a response, the query is retried, as resolvers do, and finally fails. */
const askAgainMs = 1_000
const giveUpMs = 5_000

/** Queries a nameserver at `host:port` over UDP. Rejects if there is no response. */
export async function askUdp(address: string, name: string, type: string): Promise<DnsAnswer> {
  const [host = '', port = ''] = address.split(':')
  const socket = createSocket('udp4')
  const query = packet.encode(question(name, type))
  const ask = (): void => socket.send(query, Number(port), host)
  const asking = setInterval(ask, askAgainMs)
  try {
    const answer = await new Promise<Buffer>((resolve, reject) => {
      setTimeout(() => reject(new Error(`${address} did not answer ${name} ${type}`)), giveUpMs).unref()
      // A late response to another program's query may arrive at this port.
      socket.once('error', reject).on('message', (answer, from) => {
        if (from.port === Number(port) && answer.subarray(0, 2).equals(query.subarray(0, 2))) resolve(answer)
      })
      ask()
    })
    return reduce(packet.decode(answer))
  } finally {
    clearInterval(asking)
    socket.close()
  }
}

/** The same over TCP (RFC 7766). */
export async function askTcp(address: string, name: string, type: string): Promise<DnsAnswer> {
  const [host = '', port = ''] = address.split(':')
  const socket = connect(Number(port), host)
  try {
    const answer = await new Promise<Buffer>((resolve, reject) => {
      let got = Buffer.alloc(0)
      const fail = (): void => reject(new Error(`${address} did not answer ${name} ${type} over TCP`))
      socket.setTimeout(giveUpMs, fail)
      socket.once('error', reject).once('close', fail)
      socket.on('data', (chunk: Buffer) => {
        got = Buffer.concat([got, chunk])
        if (got.length >= 2 && got.length >= 2 + got.readUInt16BE(0)) resolve(got)
      })
      socket.write(packet.streamEncode(question(name, type)))
    })
    return reduce(packet.streamDecode(answer))
  } finally {
    socket.destroy()
  }
}

/** Waits until a nameserver answers with this one record. */
export async function untilAnswered(address: string, name: string, type: string, value: string): Promise<void> {
  const isAnswered = async () => (await askUdp(address, name, type)).answers[0] === value
  await eventually(`${address} answers ${name} ${type} with ${value}`, isAnswered)
}

function question(name: string, type: string): Packet {
  return { type: 'query', id: randomInt(65_536), questions: [{ name, type: type as 'A' }] }
}

function reduce(message: Packet & { rcode?: string; flag_aa?: boolean }): DnsAnswer {
  return {
    rcode: message.rcode ?? '',
    aa: message.flag_aa ?? false,
    answers: (message.answers ?? []).map((record) => ('data' in record ? textOf(record.data) : '')),
  }
}

function textOf(data: unknown): string {
  if (Array.isArray(data)) return data.map(textOf).join('')
  if (Buffer.isBuffer(data)) return data.toString('latin1')
  return typeof data === 'string' ? data : JSON.stringify(data)
}
