import { Api, type World } from '@zonewright/system-tests/world'
import { AnswerWatch } from './answer-watch.ts'
import type { PutLoadResult } from './put-load.ts'
import { runProgram } from './run-program.ts'

export const writerEmail = 'writer@zonewright.test'

/** The account that makes the load. It has no webhook endpoints, so that a backlog of deliveries does not count as writing. */
export interface Writer {
  /** Enough keys that none of them reaches its limit of 300 requests a minute. */
  readonly keys: readonly string[]
  readonly zones: readonly string[]
}

/** Creates the writer's account, keys and live zones; returns once the nameservers serve the last zone. */
export async function makeWriter(world: World, zoneCount: number): Promise<Writer> {
  await world.admin('account', 'create', writerEmail)
  const keys = await makeKeys(world, writerEmail, 1_000)
  const zones = Array.from({ length: zoneCount }, (_, i) => `bench${i}.test`)
  await world.admin('zone', 'add', writerEmail, ...zones)
  const watches = world.facts.nameservers.map(({ address }) => new AnswerWatch(address))
  const last = zones.at(-1) ?? ''
  await new Api(world.facts.base_url, keys).put(last, 'ready', 'TXT', ['"yes"'])
  await Promise.all(watches.map((watch) => watch.until(`ready.${last}`, '"yes"')))
  for (const watch of watches) watch.close()
  return { keys, zones }
}

export async function makeKeys(world: World, email: string, copies: number): Promise<string[]> {
  const made = await world.admin('key', 'create', email, 'bench', '--copies', String(copies))
  return (JSON.parse(made) as { secret: string }[]).map(({ secret }) => secret)
}

/** Runs the load of PUTs on these APIs, or of the same changes through a door, as a separate process. @throws Error when one is refused */
export async function loadPuts(
  bases: readonly string[],
  { keys, zones }: Writer,
  { clients, seconds, way = 'api' }: { clients: number; seconds: number; way?: 'api' | 'powerdns' | 'dyndns2' },
): Promise<PutLoadResult> {
  const args = [bases, keys, zones, clients, seconds, way].map(String)
  const result = await runProgram<PutLoadResult>(new URL('./put-load.ts', import.meta.url), args)
  if (result.refused > 0) throw new Error(`${result.refused} changes were refused under load: ${result.refusal}`)
  return result
}
