import { once } from 'node:events'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Rrset, RrType, rdataToText } from '@zonewright/dns'
import { Behaviours } from '../behaviours.ts'
import { type EppServer, startEpp } from '../epp/start-epp.ts'
import { RdapRoute } from '../rdap/rdap-route.ts'
import { Registrations } from '../rdap/registrations.ts'
import { listen } from '../web/listen.ts'
import type { Behaviour } from './behaviour.ts'
import { startDnsServer } from './dns-server.ts'
import { HostsRoute } from './hosts-route.ts'
import { registryResponder } from './registry-responder.ts'
import { createRegistryWeb } from './registry-web.ts'
import { RegistryZones, type RegistryZonesOptions } from './registry-zones.ts'
import { zoneKeys } from './zone-keys.ts'

export interface RegistryDnsOptions extends RegistryZonesOptions {
  /** The folder that keeps the delegations and the keys of the zones across a restart. Without it, they are not kept. */
  readonly dataDir?: string
  /** `host:port`, for UDP and TCP; port 0 takes a free one. */
  readonly dnsListen: string
  /** `host:port` of the control, plain http: keep it on the loopback interface. */
  readonly httpListen: string
  /** `host:port` of its EPP server, which needs the folder; left out: there is none. */
  readonly eppListen?: string
  readonly log?: (message: string) => void
  /** Called with the address of a nameserver that was set through the control. */
  readonly onHost?: (name: string, address: string) => void
}

/** A running registry. DNS serves its zones, HTTP sets their delegations, and RDAP shows its data of domains. */
export interface RegistryDns {
  readonly dnsAddress: string
  readonly httpAddress: string
  /** For the process that runs it. All others use HTTP. */
  readonly zones: RegistryZones
  readonly behaviours: Behaviours<Behaviour>
  /** The registry's RDAP, below `/rdap/` at the http address. */
  readonly rdap: RdapRoute
  readonly epp: EppServer | undefined
  close(): Promise<void>
}

/** Starts a registry: its DNS, its RDAP and, if requested, its EPP. */
export async function startRegistryDns({
  dataDir,
  dnsListen,
  httpListen,
  eppListen,
  log,
  onHost = () => undefined,
  ...options
}: RegistryDnsOptions): Promise<RegistryDns> {
  const zones = new RegistryZones({ ...options, keys: await zoneKeys(options.tlds, dataDir) })
  if (dataDir !== undefined) {
    await restore(zones, dataDir)
    await writeFile(join(dataDir, 'trust-anchor.ds'), linesOf(zones.trustAnchors()))
  }
  const behaviours = new Behaviours<Behaviour>()
  const dns = await startDnsServer(dnsListen, registryResponder(zones, behaviours))
  const undo = async (error: unknown): Promise<never> => {
    await Promise.all([dns.close(), epp?.close()])
    throw error
  }
  let epp: EppServer | undefined
  if (eppListen !== undefined && dataDir !== undefined)
    epp = await startEpp({
      dataDir: join(dataDir, 'epp'),
      listen: eppListen,
      zones,
      ...options,
      ...(log && { log }),
    }).catch(undo)
  const rdap = new RdapRoute({
    tlds: options.tlds,
    registrations: new Registrations(zones, (domain) => epp?.registration(domain)),
  })
  const web = createRegistryWeb(zones, behaviours, [rdap, new HostsRoute(onHost), ...(epp === undefined ? [] : [epp])])
  const httpAddress = await listen(web, httpListen).catch(undo)
  return {
    dnsAddress: dns.address,
    httpAddress,
    zones,
    behaviours,
    rdap,
    epp,
    close: async () => {
      const closed = once(web, 'close')
      web.close()
      web.closeAllConnections()
      await Promise.all([closed, dns.close(), epp?.close()])
      if (dataDir !== undefined) await keep(zones, dataDir)
    },
  }
}

/** DS records as lines, which unbound reads as a `trust-anchor-file`. */
function linesOf(anchors: readonly Rrset[]): string {
  const records = anchors.flatMap(({ name, ttl, data }) =>
    data.map((each) => `${name} ${ttl} IN DS ${rdataToText(RrType.DS, each)}\n`),
  )
  return records.join('')
}

async function restore(zones: RegistryZones, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const text = await readFile(join(dataDir, 'delegations.json'), 'utf8').catch(() => '{}')
  for (const [domain, nameservers] of Object.entries(JSON.parse(text) as Record<string, string[]>))
    zones.delegate(domain, nameservers)
}

async function keep(zones: RegistryZones, dataDir: string): Promise<void> {
  const file = join(dataDir, 'delegations.json')
  await writeFile(`${file}.new`, JSON.stringify(zones.delegationsByHand(), undefined, 2))
  await rename(`${file}.new`, file)
}
