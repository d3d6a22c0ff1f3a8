import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Browser, newcomer, startWorld, type World } from '@zonewright/system-tests/world'
import { type Figure, median, percentile } from '../report.ts'
import { runProgram } from '../run-program.ts'
import { makeWriter, type Writer } from '../writer.ts'
import type { CustomerResult } from './customer.ts'
import type { Flood, FloodResult } from './flood.ts'

const rounds = 3
const seconds = 10
/** Requests before this time do not count, because the customer's programs and the service are still being compiled. */
const warmSeconds = 4
const zonesOfFlooder = 200
const namesOfCheck = 50
const mostRatio = 1.5

type Request = Omit<Flood, 'base' | 'from' | 'seconds' | 'perSecond'>

/** The floods. Each round has a new caller, whose limits are unused. */
type Flooder = (world: World, round: number) => Promise<Request>

const forgedCookie = `zonewright.session_token=forged.${'A'.repeat(43)}%3D`

const floods: Readonly<Record<string, Flooder>> = {
  'lists of a session': (world, round) =>
    signedIn(world, `lists${round}`, () => ({ method: 'GET', path: '/api/v1/zones?limit=200', body: '' })),
  'propagation probes of a session': (world, round) =>
    signedIn(world, `probes${round}`, (zone) => ({
      method: 'GET',
      path: `/api/v1/zones/${zone}/propagation?name=www&type=A`,
      body: '',
    })),
  [`EPP checks of ${namesOfCheck} names by a session`]: (world, round) =>
    signedIn(world, `checks${round}`, () => ({
      method: 'POST',
      path: '/api/v1/domains/check',
      body: JSON.stringify({
        names: Array.from({ length: namesOfCheck }, (_, i) => `noisy#x${i}`),
        tlds: ['test'],
      }),
    })),
  'quotes of a session': (world, round) =>
    signedIn(world, `quotes${round}`, () => ({
      method: 'POST',
      path: '/api/v1/quotes',
      body: JSON.stringify({ kind: 'register', name: 'noisy#.test' }),
    })),
  'get-session with a forged cookie': async () => strange('/api/auth/get-session', { cookie: forgedCookie }),
  'openapi.json': async () => strange('/api/v1/openapi.json'),
  '/metrics': async () => strange('/metrics'),
}

/**
 * What one caller's flood costs a well-behaved customer: its p95 under the flood, next to its p95 alone.
 *
 * As a control, the same requests go to an unrelated process, at the rate at which the service answered them. The customer's slowdown in the
 * control is what the machine alone costs, and is subtracted.
 */
export async function noisy(): Promise<Figure[]> {
  const world = await startWorld()
  const bystander = await startBystander()
  try {
    const writer = await makeWriter(world, 1)
    await customerP95(world, writer, warmSeconds)
    const figures: Figure[] = []
    for (const [name, flooder] of Object.entries(floods)) {
      const measured: Measured[] = []
      for (let round = 0; round < rounds; round++)
        measured.push(await measure(world, writer, bystander.base, await flooder(world, round), nextAddress()))
      figures.push(...figuresOf(name, measured))
    }
    return figures
  } finally {
    bystander.stop()
    await world.stop()
  }
}

/** One round: the customer's p95 in milliseconds, and the service's responses to the flood. */
interface Measured {
  readonly alone: number
  readonly flooded: number
  readonly control: number
  readonly answered: FloodResult
}

async function measure(
  world: World,
  writer: Writer,
  bystander: string,
  request: Request,
  from: string,
): Promise<Measured> {
  const flood = (base: string, perSecond?: number): Promise<FloodResult> =>
    runProgram<FloodResult>(new URL('./flood.ts', import.meta.url), [
      JSON.stringify({ ...request, base, from, seconds, ...(perSecond && { perSecond }) } satisfies Flood),
    ])
  const alone = await customerP95(world, writer, seconds)
  const [flooded, answered] = await Promise.all([customerP95(world, writer, seconds), flood(world.facts.base_url)])
  const count = Object.values(answered).reduce((sum, n) => sum + n, 0)
  const [control] = await Promise.all([
    customerP95(world, writer, seconds),
    flood(bystander, Math.max(1, count / seconds)),
  ])
  return { alone, flooded, control, answered }
}

async function customerP95(world: World, { keys, zones }: Writer, forSeconds: number): Promise<number> {
  const { tookMs } = await runProgram<CustomerResult>(new URL('./customer.ts', import.meta.url), [
    world.facts.base_url,
    keys.join(','),
    zones[0] ?? '',
    String(forSeconds),
  ])
  return percentile(tookMs, 0.95)
}

function figuresOf(name: string, measured: readonly Measured[]): Figure[] {
  const ratios = measured.map(({ alone, flooded, control }) => (flooded - Math.max(0, control - alone)) / alone)
  const of = (part: 'alone' | 'flooded' | 'control') => median(measured.map((each) => each[part]))
  const counts = measured.map(({ answered }) => Object.values(answered).reduce((sum, n) => sum + n, 0))
  const refused = measured.map(({ answered }) => answered['429'] ?? 0)
  return [
    {
      name: `a customer's p95 under a flood of ${name}, less what the machine costs, to its p95 alone`,
      unit: '',
      value: median(ratios),
      bar: { kind: 'at most', value: mostRatio },
      beside: [
        { name: 'flooded, ms', value: of('flooded'), ratio: of('flooded') / of('alone') },
        { name: 'flood at a bystander, ms', value: of('control'), ratio: of('control') / of('alone') },
        { name: 'alone, ms', value: of('alone'), ratio: 1 },
      ],
      samples: ratios,
    },
    {
      name: `requests of this flood that were answered, ${median(refused)} of them with 429`,
      unit: `in ${seconds} s`,
      value: median(counts),
      samples: counts,
    },
  ]
}

/** A request of a new person's session, in an account with many zones. */
async function signedIn(
  world: World,
  name: string,
  request: (zone: string) => Omit<Request, 'headers'>,
): Promise<Request> {
  const email = `${name}@zonewright.test`
  const browser: Browser = await newcomer(world, email)
  const zones = Array.from({ length: zonesOfFlooder }, (_, i) => `${name}-${i}.test`)
  await world.admin('zone', 'add', email, ...zones)
  return { ...request(zones[0] ?? ''), headers: { cookie: browser.cookieHeader, origin: world.facts.base_url } }
}

function strange(path: string, headers: Readonly<Record<string, string>> = {}): Request {
  return { method: 'GET', path, headers, body: '' }
}

let addresses = 0

/** Addresses of the loopback network that the service has not seen yet. */
function nextAddress(): string {
  return `127.0.7.${++addresses}`
}

async function startBystander(): Promise<{ base: string; stop(): void }> {
  const program = fileURLToPath(new URL('./bystander.ts', import.meta.url))
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { base: line.toString().trim(), stop: () => void child.kill() }
}
