// Only undici, in a separate process: floor.ts CA_FILE PORT ENDPOINTS HOSTS SECONDS. Posts webhook bodies to the receivers over persistent
// connections, without guard, signature, queue or records. Prints the number per second.
import { readFileSync } from 'node:fs'
import { Agent } from 'undici'

const [caFile = '', port = '', endpointsText = '', hostsText = '', secondsText = ''] = process.argv.slice(2)
const [endpoints, hosts, seconds] = [Number(endpointsText), Number(hostsText), Number(secondsText)]
const concurrency = 128
const warmS = 3
const body = Buffer.from(
  JSON.stringify({
    id: `evt_${'0'.repeat(32)}`,
    type: 'zone.delegation_changed',
    created_at: new Date(),
    data: { zone: { id: '00000000-0000-4000-8000-000000000000', name: 'example.com' } },
  }),
)
const headers = { 'Content-Type': 'application/json', 'User-Agent': 'floor', 'Service-Event-Id': 'none' }
const agent = new Agent({
  allowH2: false,
  pipelining: 1,
  connect: {
    ca: readFileSync(caFile),
    lookup: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  },
})
const began = performance.now()
let posted = 0
let next = 0

await Promise.all(Array.from({ length: concurrency }, () => postUntilTheEnd()))
process.stdout.write(`${posted / seconds}\n`)
await agent.close()

async function postUntilTheEnd(): Promise<void> {
  for (;;) {
    const endpoint = next++ % endpoints
    const origin = `https://h${endpoint % hosts}.hooks.test:${port}`
    const answer = await agent.request({ origin, path: `/e/${endpoint}`, method: 'POST', headers, body })
    await answer.body.dump()
    const atS = (performance.now() - began) / 1_000
    if (atS > warmS + seconds) return
    if (atS > warmS) posted += 1
  }
}
