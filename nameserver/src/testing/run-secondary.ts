import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Rcode, type Serial, soaFromRdata } from '@zonewright/dns'
import type { Endpoint } from '../endpoint.ts'
import type { RateLimits } from '../rate-limit/rate-limiter.ts'
import { type Nameserver, startNameserver } from '../server.ts'
import { answerTexts, ask } from './ask.ts'
import { eventually } from './eventually.ts'
import { keptLog, type LogLine } from './kept-log.ts'
import { catalogName, ScriptedPrimary, testKey } from './scripted-primary.ts'

/** A nameserver for one test, in this process, that follows a scripted primary. */
export interface RunningSecondary {
  readonly endpoint: Endpoint
  readonly lines: LogLine[]
  stop: Nameserver['stop']
}

/** A directory that is removed when the test ends. */
export function temporaryDirectory(test: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'nameserver-'))
  test.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export async function runPrimary(test: TestContext): Promise<ScriptedPrimary> {
  const primary = await new ScriptedPrimary().start()
  test.after(() => primary.stop())
  return primary
}

export async function runSecondary(
  test: TestContext,
  primary: ScriptedPrimary,
  storeDirectory: string,
  rateLimits?: RateLimits,
): Promise<RunningSecondary> {
  const log = keptLog()
  const source = {
    kind: 'secondary',
    primaries: [primary.endpoint],
    catalog: catalogName,
    keys: [testKey],
    storeDirectory,
  } as const
  // Without threads, it starts quickly. The tests of the process use the fast door.
  const listen = [{ host: '127.0.0.1', port: 0 }]
  const nameserver = await startNameserver({ listen, source, door: 'portable', rateLimits }, log)
  const [endpoint] = nameserver.endpoints
  if (!endpoint) throw new Error('no endpoint')
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await nameserver.stop()
  }
  test.after(stop)
  return { endpoint, lines: log.lines, stop }
}

/** The serial in the response, or `undefined` if there is none. */
export async function serialAt(endpoint: Endpoint, zone: string): Promise<Serial | undefined> {
  const [soa] = (await ask(endpoint, zone, 'SOA')).answers
  return soa && soaFromRdata(soa.data).serial
}

export function untilSerial(endpoint: Endpoint, zone: string, serial: number): Promise<unknown> {
  return eventually(`${zone} has serial ${serial}`, async () => (await serialAt(endpoint, zone)) === serial)
}

export function untilRcode(endpoint: Endpoint, zone: string, rcode: keyof typeof Rcode): Promise<unknown> {
  return eventually(`${zone} is ${rcode}`, async () => (await ask(endpoint, zone, 'SOA')).rcode === Rcode[rcode])
}

/** The address of a name, or the rcode if there is none. */
export async function addressAt(endpoint: Endpoint, name: string): Promise<string> {
  const answer = await ask(endpoint, name, 'A')
  return answerTexts(answer)[0] ?? `rcode ${answer.rcode}`
}
