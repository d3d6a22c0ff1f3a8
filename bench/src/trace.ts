// `npm run trace [flow…]`: the files that each of four flows passes through, from the counts of V8. Writes a page for each to docs/reference;
// with `--check`, fails if a listed file ran in no run of the flow, or a file that is not listed ran in every run.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { askUdp, Shopper, startWorld, type World } from '@zonewright/system-tests/world'
import { Program } from '../../tools/local/process.ts'
import { untilDone, untilNone } from './records/records.ts'
import { always, Coverage, filesOf, type Ran, repeat, usual, without } from './trace/coverage.ts'
import { listedFiles, tracePage } from './trace/page.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The name of each flow on its page, and where its trace begins and ends. */
const flows = {
  put: { title: 'Files of a PUT', of: 'a PUT of one rrset with an API key', flow: 'change-a-record' },
  event: {
    title: 'Files of an event',
    of: 'the delivery of an event, from the response to the record change until the service has recorded the POST to the endpoint',
    flow: 'an-event-is-delivered',
  },
  order: {
    title: 'Files of an order',
    of: 'an order that credit pays, from the POST of the order until the domain is registered, its zone is announced and its events are delivered',
    flow: 'a-domain-is-bought',
  },
  packet: {
    title: 'Files of a packet',
    of: 'a query over UDP, from its packet to the response',
    flow: 'a-packet-is-answered',
  },
} as const
type Flow = keyof typeof flows

const isCheck = process.argv.includes('--check')
const named = process.argv.slice(2).filter((argument) => argument !== '--check')
const unknown = named.filter((name) => !Object.hasOwn(flows, name))
if (unknown.length > 0) {
  process.stderr.write(`There is no flow ${unknown.join(', ')}. Choose from ${Object.keys(flows).join(', ')}.\n`)
  process.exit(1)
}
const chosen = (Object.keys(flows) as Flow[]).filter((flow) => named.length === 0 || named.includes(flow))

/** The functions of each run of a flow. */
type Runs = readonly (readonly Ran[])[]

let puts = 0

const folder = await mkdtemp(join(tmpdir(), 'zonewright-trace-'))
try {
  const inService = chosen.filter((flow) => flow !== 'packet')
  const traces = new Map<Flow, Runs>()
  if (inService.length > 0) for (const [flow, runs] of await traceService(inService)) traces.set(flow, runs)
  if (chosen.includes('packet')) traces.set('packet', await tracePacket())
  for (const [flow, runs] of traces) await keep(flow, runs)
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Writes the page of a flow, or compares the files that it lists. */
async function keep(flow: Flow, runs: Runs): Promise<void> {
  const path = `docs/reference/${flow}-trace.md`
  if (!isCheck) {
    const counts = filesOf(usual(runs), root)
    await writeFile(join(root, path), tracePage(flows[flow], flow, counts))
    process.stdout.write(`${path}: ${counts.size} files\n`)
    return
  }
  const listed = listedFiles(await readFile(join(root, path), 'utf8').catch(() => ''))
  const [first = new Map<string, number>(), ...others] = runs.map((run) => filesOf(run, root))
  const differences = [
    ...[...first.keys()]
      .filter((file) => !listed.includes(file) && others.every((files) => files.has(file)))
      .map((file) => `  passes through ${file}`),
    ...listed
      .filter((file) => ![first, ...others].some((files) => files.has(file)))
      .map((file) => `  does not pass through ${file}`),
  ]
  if (differences.length === 0) return
  process.stderr.write(`${path} is out of date. Run \`npm run trace ${flow}\`. The flow\n${differences.join('\n')}\n`)
  process.exitCode = 1
}

async function traceService(chosen: readonly Flow[]): Promise<Map<Flow, Runs>> {
  const coverage = new Coverage(folder, 'service/bin/all.ts')
  coverage.addTo(process.env)
  const world = await startWorld()
  try {
    const traces = new Map<Flow, Runs>()
    const put = chosen.includes('put') || chosen.includes('event') ? await tracePuts(world, coverage) : []
    const idle = chosen.some((flow) => flow !== 'put') ? await traceIdle(world, coverage) : []
    for (const flow of chosen)
      if (flow === 'put') traces.set(flow, put)
      else if (flow === 'event') {
        const others = [...always(put), ...idle]
        traces.set(
          flow,
          (await traceEvents(world, coverage)).map((run) => without(run, others)),
        )
      } else
        traces.set(
          flow,
          (await traceOrders(world, coverage)).map((run) => without(run, idle)),
        )
    return traces
  } finally {
    await world.stop()
  }
}

/** PUTs before the first traced one fill the caches. */
async function tracePuts(world: World, coverage: Coverage): Promise<Runs> {
  for (let i = 0; i < 300; i++) await put(world)
  return await repeat(20, async () => {
    // The previous PUT must not be in this trace, so its change is announced and its event placed first.
    await untilDone(world)
    await coverage.take()
    await put(world)
    return await coverage.take()
  })
}

/** Everything that runs without requests: sweeps, and queries to the registry. */
async function traceIdle(world: World, coverage: Coverage): Promise<readonly Ran[]> {
  await untilDelivered(world)
  await coverage.take()
  // Several times the duration of a flow, so that everything that repeats runs in it.
  await delay(10_000)
  return await coverage.take()
}

async function traceEvents(world: World, coverage: Coverage): Promise<Runs> {
  return await repeat(10, async () => {
    await untilDelivered(world)
    await coverage.take()
    await put(world)
    await untilDelivered(world)
    return await coverage.take()
  })
}

async function traceOrders(world: World, coverage: Coverage): Promise<Runs> {
  await world.admin('credit', 'grant', world.facts.account.email, '100000000', 'for the trace')
  const shopper = await Shopper.at(world)
  let n = 0
  const buy = async (): Promise<Ran[]> => {
    const quote = await shopper.quote(`trace-${n++}.test`)
    await untilDelivered(world)
    await coverage.take()
    const { id } = await shopper.place(quote, { use_credit: true })
    await untilNone(world, `select from orders where id = '${id}' and status not in ('completed', 'failed')`)
    // Otherwise, work that follows the order, such as the announcement of the zone, would be in only some of the runs.
    await untilDelivered(world)
    const ran = await coverage.take()
    const { status } = await shopper.read(id)
    if (status !== 'completed') throw new Error(`The order is ${status}.`)
    return ran
  }
  for (let i = 0; i < 2; i++) await buy()
  return await repeat(12, buy)
}

async function put(world: World): Promise<void> {
  await world.api.put(world.facts.zone.name, `h${puts % 50}`, 'A', [`192.0.2.${puts++ % 250}`])
}

async function untilDelivered(world: World): Promise<void> {
  await untilDone(world)
  await untilNone(world, `select from webhook_deliveries where status = 'pending' limit 1`)
}

async function tracePacket(): Promise<Runs> {
  const coverage = new Coverage(folder, 'nameserver/bin/nameserver.ts')
  const env = {}
  coverage.addTo(env)
  await writeFile(
    join(folder, 'example.test.zone'),
    `@ 3600 IN SOA ns1.example.net. hostmaster.example.net. 1 3600 600 86400 60
@ 3600 IN NS ns1.example.net.
www 300 IN A 192.0.2.1
`,
  )
  const program = new Program({
    name: 'nameserver',
    args: [
      join(root, 'nameserver/bin/nameserver.ts'),
      '--listen',
      '127.0.0.1:0',
      '--zone-dir',
      folder,
      '--door',
      'portable',
      // High enough for this program's queries: the usual limit of responses would leave some unanswered.
      '--rrl',
      '1000000',
    ],
    env,
    logFile: join(folder, 'log'),
  })
  const [address = ''] = (await program.start()).split(' ')
  try {
    const ask = () => askUdp(address, 'www.example.test', 'A')
    for (let i = 0; i < 300; i++) await ask()
    return await repeat(20, async () => {
      await coverage.take()
      const { answers } = await ask()
      if (answers.length !== 1) throw new Error('The nameserver did not answer.')
      return await coverage.take()
    })
  } finally {
    await program.stop()
  }
}
