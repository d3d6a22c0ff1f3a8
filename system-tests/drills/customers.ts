import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { Agent, request } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import packet from 'dns-packet'
import type { ReceivedRequest, ReceiverLog } from '../world/index.ts'

/** Where the customers of an installation reach it. */
export interface Doors {
  /** `host:port` of the proxy. */
  readonly https: string
  /** The authority of the proxy's certificate, for dns.example.net. */
  readonly ca: string
  readonly keys: readonly string[]
  readonly zone: string
  readonly nameservers: readonly string[]
  readonly received: ReceiverLog
}

/** The number of names of each customer who changes records. */
const names = 300
/** A DNS query waits this long for one nameserver, and then for the other. */
const answerWithinMs = 2_000

/**
 * Customers who change and read records, add zones, and receive webhooks, and resolvers that query the nameservers, until they are stopped.
 *
 * The zone must have the record `steady A 192.0.2.1`, which the resolvers query.
 */
export function startCustomers({ https, ca, keys, zone, nameservers, received }: Doors) {
  const agent = new Agent({ ca, keepAlive: true })
  const end = new AbortController()
  /** The serials of the changes that were accepted. */
  const accepted = new Set<number>()
  /** The address that each name has. */
  const addresses = new Map<string, string>()
  /** Requests and queries that failed. */
  const failed: string[] = []
  const requests = new Map<number, ReceivedRequest>()
  const counts = { changes: 0, reads: 0, zones: 0, queries: 0 }
  let sent = 0

  const ask = (method: string, path: string, body?: unknown) =>
    new Promise<{ status: number; serial: number; body: string }>((resolve, reject) => {
      const [host, port] = https.split(':')
      const name = 'dns.example.net'
      const headers = {
        host: name,
        authorization: `Bearer ${keys[sent++ % keys.length]}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const asked = request({ host, port, servername: name, method, path: `/api/v1${path}`, headers, agent })
      asked.once('error', reject).once('response', async (answer) => {
        const text = (await answer.setEncoding('utf8').toArray()).join('')
        resolve({ status: answer.statusCode ?? 0, serial: Number(answer.headers['zone-serial']), body: text })
      })
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    })
  /** Does it repeatedly. Failures are recorded, and not repeated. */
  const repeat = async (what: string, pauseMs: number, act: (turn: number) => Promise<string | undefined>) => {
    for (let turn = 0; !end.signal.aborted; turn++) {
      const fault = await act(turn).catch((error: Error) => `${error}`)
      if (fault !== undefined) failed.push(`${new Date().toISOString()} ${what}: ${fault}`)
      await delay(pauseMs)
    }
  }
  const isStatus = (answer: { status: number; body: string }, wanted: number): string | undefined =>
    answer.status === wanted ? undefined : `${answer.status} ${answer.body}`
  const taken = (answer: { status: number; serial: number; body: string }, status: number): string | undefined => {
    counts.changes++
    if (answer.status !== status) return `${answer.status} ${answer.body}`
    accepted.add(answer.serial)
    return undefined
  }

  const change = (client: number) => async (turn: number) => {
    const name = `c${client}-${turn % names}`
    const address = `192.0.2.${1 + (Math.floor(turn / names) % 250)}`
    const path = `/zones/${zone}/rrsets/${name}/A`
    const fault = taken(await ask('PUT', path, { ttl: 60, records: [address] }), turn < names ? 201 : 200)
    if (fault === undefined) addresses.set(name, address)
    return fault
  }
  const addAndRemove = async (turn: number) => {
    const rrset = { name: `r${turn}`, type: 'TXT', ttl: 60, records: ['"for a moment"'] }
    return (
      taken(await ask('POST', `/zones/${zone}/rrsets`, rrset), 201) ??
      taken(await ask('DELETE', `/zones/${zone}/rrsets/r${turn}/TXT`), 204)
    )
  }
  const read = async () => {
    counts.reads++
    return isStatus(await ask('GET', `/zones/${zone}/rrsets/steady/A`), 200)
  }
  const addZone = async (turn: number) => {
    counts.zones++
    return isStatus(await ask('POST', '/zones', { name: `added-${turn}.test` }), 201)
  }
  const resolve = async (turn: number) => {
    counts.queries++
    const [first = '', second = ''] = turn % 2 === 0 ? nameservers : nameservers.toReversed()
    const answer = (await query(first, `steady.${zone}`)) ?? (await query(second, `steady.${zone}`)) ?? 'unanswered'
    return answer === '192.0.2.1' ? undefined : answer
  }
  // The receiver forgets old requests.
  const collect = async () => {
    for (const one of await received.requests()) requests.set(one.number, one)
    return undefined
  }
  const running = [
    ...[1, 2, 3, 4].map((client) => repeat('change', 200, change(client))),
    ...[1, 2].map(() => repeat('read', 100, read)),
    repeat('add and remove', 500, addAndRemove),
    repeat('zone', 20_000, addZone),
    ...[1, 2, 3, 4].map(() => repeat('query', 20, resolve)),
    repeat('receiver', 1_000, collect),
  ]
  return {
    accepted,
    addresses,
    failed,
    requests,
    counts,
    collect,
    stop: async () => {
      end.abort()
      await Promise.all(running)
      agent.destroy()
    },
  }
}

/** Queries a nameserver once; undefined if it does not answer. */
function query(address: string, name: string): Promise<string | undefined> {
  const [host = '', port = ''] = address.split(':')
  const id = randomInt(65_536)
  const socket = createSocket('udp4')
  return new Promise<string | undefined>((done) => {
    const timer = setTimeout(() => done(undefined), answerWithinMs)
    socket
      .once('error', () => done(undefined))
      .on('message', (message) => {
        const answer = packet.decode(message)
        if (answer.id !== id) return
        clearTimeout(timer)
        const [record] = answer.answers ?? []
        done(record?.type === 'A' ? record.data : ((answer as { rcode?: string }).rcode ?? 'no answer'))
      })
    socket.send(packet.encode({ type: 'query', id, questions: [{ name, type: 'A' }] }), Number(port), host)
  }).finally(() => socket.close())
}
