// `npm run bench [name…]`: measures, prints each figure with its bar, and exits with 1 if a bar was missed. `npm run bench orders-invariants -- 200`:
// a bench of random sequences, with fewer of them; the result is not stored. `npm run bench pairs -- CHECKOUT`: compares this checkout with another
// one.
import { spawnSync } from 'node:child_process'
import { alias } from './alias/alias.ts'
import { auth } from './auth.ts'
import { coreSpeed } from './core-speed.ts'
import { dashboard } from './dashboard.ts'
import { dnsChurn } from './dns/dns-churn.ts'
import { dnsScale } from './dns/dns-scale.ts'
import { dnsSoak } from './dns/dns-soak.ts'
import { dnsSpeed } from './dns/dns-speed.ts'
import { dnssec } from './dns/dnssec.ts'
import { propagation } from './dns/propagation.ts'
import { domainChangesInvariants } from './domains/domain-changes-invariants.ts'
import { doors } from './doors/doors.ts'
import { far } from './far.ts'
import { many } from './many/many.ts'
import { noisy } from './noisy/noisy.ts'
import { orders } from './orders/orders.ts'
import { ordersInvariants } from './orders/orders-invariants.ts'
import { writePage } from './page.ts'
import { PairedComparison, readPairsOptions } from './pairs/pairs.ts'
import { plans } from './plans.ts'
import { records } from './records/records.ts'
import { type Figure, printed, report } from './report.ts'
import { scale } from './scale/scale.ts'
import { search } from './search.ts'
import { start } from './start.ts'
import { thread } from './thread.ts'
import { webhooksBacklog } from './webhooks/backlog.ts'
import { webhooksCrash } from './webhooks/crash.ts'
import { webhooksDead } from './webhooks/dead.ts'
import { webhooks } from './webhooks/webhooks.ts'

/** Benches that take a number of sequences, for a short trial run. */
const sequenceBenches = {
  'orders-invariants': ordersInvariants,
  'domain-changes-invariants': domainChangesInvariants,
} as const

const benches = {
  start,
  thread,
  auth,
  records,
  plans,
  dashboard,
  search,
  webhooks,
  'webhooks-dead': webhooksDead,
  'webhooks-backlog': webhooksBacklog,
  'webhooks-crash': webhooksCrash,
  far,
  'dns-speed': dnsSpeed,
  'dns-scale': dnsScale,
  'dns-churn': dnsChurn,
  'dns-soak': dnsSoak,
  dnssec,
  propagation,
  alias,
  orders,
  ...sequenceBenches,
  doors,
  scale,
  many,
  noisy,
} as const

const [first, ...rest] = process.argv.slice(2)
const isReached = first === 'pairs' ? await comparePairs(rest) : await measureAll(process.argv.slice(2))
writePage([...Object.keys(benches), 'pairs'])
process.exit(isReached ? 0 : 1)

async function measureAll(wanted: readonly string[]): Promise<boolean> {
  const [name, count] = wanted
  if (wanted.length === 2 && isCounted(name) && count !== undefined && /^[1-9]\d*$/.test(count))
    return (await sequenceBenches[name](Number(count))).every(printed)
  const unknown = wanted.find((name) => !Object.hasOwn(benches, name))
  if (unknown !== undefined) {
    const known = [...Object.keys(benches), 'pairs'].join(', ')
    leave(`There is no bench ${JSON.stringify(unknown)}. Benches: ${known}.`)
  }
  let allReached = true
  for (const [name, run] of Object.entries(benches)) {
    if (wanted.length === 0 || wanted.includes(name)) allReached = (await measure(name, () => run())) && allReached
  }
  return allReached
}

function isCounted(name: string | undefined): name is keyof typeof sequenceBenches {
  return name !== undefined && Object.hasOwn(sequenceBenches, name)
}

/** Needs another checkout, so it does not run by default. */
async function comparePairs(args: readonly string[]): Promise<boolean> {
  try {
    const comparison = await PairedComparison.open(readPairsOptions(args))
    return await measure('pairs', () => comparison.measure(), comparison.about)
  } catch (error) {
    return leave(error instanceof Error ? error.message : String(error))
  }
}

function leave(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/**
 * One bench that fails does not stop the others, and none is slowed down by the writes that the previous one caused: `start` alone writes some
 * gigabytes of packages.
 */
async function measure(name: string, run: () => Promise<Figure[]>, about = {}): Promise<boolean> {
  spawnSync('sync')
  const before = coreSpeed()
  try {
    const figures = await run()
    return report(name, figures, [before, coreSpeed()], about)
  } catch (error) {
    process.stderr.write(`\n${name} — broke off: ${error instanceof Error ? error.stack : String(error)}\n`)
    return false
  }
}
