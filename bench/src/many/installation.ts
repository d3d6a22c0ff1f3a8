import { join } from 'node:path'
import { startNginx } from '@zonewright/system-tests/nginx'
import { eventually, startWorld, type World } from '@zonewright/system-tests/world'
import { createAuthority } from '../../../sandbox/src/certificates.ts'
import { freeAddresses } from '../../../tools/local/addresses.ts'
import { debianPrograms } from '../../../tools/local/debian-programs.ts'
import { debianFolder, operatorPrograms } from '../../../tools/local/dns-programs.ts'
import type { Program } from '../../../tools/local/process.ts'
import { cpuSecondsOf } from '../dns/process-usage.ts'
import { makeKeys, makeWriter, type Writer } from '../writer.ts'

/** A complete installation with one process per role. Its `api` processes are behind Debian's nginx with the configuration of deploy/nginx. */
export interface Installation {
  readonly world: World
  readonly apis: readonly Program[]
  readonly workers: readonly Program[]
  /** The URL of the proxy, without TLS. */
  readonly proxy: string
  /** The URL of each `api`. */
  readonly bases: readonly string[]
  /** The account whose changes have no endpoints. */
  readonly writer: Writer
  /** The account whose changes each endpoint receives. */
  readonly told: Told
  stop(): Promise<void>
}

interface Told extends Writer {
  readonly endpoints: number
}

/** Changed in turn, because concurrent changes of one zone by two processes wait for its lock, and these waits should not be measured. */
const toldZones = Array.from({ length: 50 }, (_, i) => `many${i}.test`)
const endpoints = 4

/**
 * Starts one with this many `api` and `worker` processes, whose writer has this many zones.
 *
 * @throws ProgramsMissing
 */
export async function startOf(processes: number, writerZones: number): Promise<Installation> {
  process.env['PATH'] = debianPrograms({ nginx: operatorPrograms.nginx }, debianFolder)
  const world = await startWorld()
  try {
    const told = await makeTold(world)
    const writer = await makeWriter(world, writerZones)
    // The three roles in one process, which every world has, are replaced by processes of each kind.
    await world.programs.service.stop()
    await world.alsoRun('primary', {})
    const apis: Program[] = []
    const workers: Program[] = []
    const hosts: string[] = []
    for (let i = 0; i < processes; i++) {
      const host = i === 0 ? new URL(world.facts.base_url).host : (await freeAddresses()).http
      apis.push(await world.alsoRun('api', { HTTP_LISTEN: host, TRUSTED_PROXIES: '127.0.0.1' }))
      workers.push(await world.alsoRun('worker', {}))
      hosts.push(host)
    }
    const proxy = await startProxy(join(world.dataDir, 'proxy'), hosts)
    const stop = async (): Promise<void> => {
      await proxy.stop()
      await world.stop()
    }
    const bases = hosts.map((host) => `http://${host}`)
    return { world, apis, workers, proxy: proxy.base, bases, writer, told, stop }
  } catch (error) {
    await world.stop()
    throw error
  }
}

/** Processor time of all of them so far, in seconds. */
export function used(programs: readonly Program[]): number {
  return cpuSecondsOf(programs.map(({ pid }) => pid))
}

/** The account with endpoints. Its zones are created, and their events delivered. */
async function makeTold(world: World): Promise<Told> {
  const { email } = world.facts.account
  const keys = await makeKeys(world, email, 150)
  await world.admin('zone', 'add', email, ...toldZones)
  await eventually('the zones are told', async () => {
    const told = (await world.received.events()).filter(({ type }) => type === 'zone.created')
    return told.length >= toldZones.length
  })
  for (let i = 1; i < endpoints; i++) {
    const url = world.facts.receiver_url.replace('/demo', `/many${i}`)
    const { status } = await world.api.call('POST', '/webhooks', { url })
    if (status !== 201) throw new Error(`an endpoint was refused: ${status}`)
  }
  return { keys, zones: toldZones, endpoints }
}

/** Without TLS, which would be work only for the proxy and the load. */
async function startProxy(folder: string, apis: readonly string[]): Promise<{ base: string; stop(): Promise<void> }> {
  const free = await freeAddresses()
  const authority = createAuthority('proxy of a bench')
  const { stop } = await startNginx({
    folder,
    http: free.receiver,
    https: free.http,
    apis,
    authority,
    replaced: { ' ssl http2;': ';' },
  })
  return { base: `http://${free.http}`, stop }
}
