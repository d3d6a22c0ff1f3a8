import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { xmlReader } from '@zonewright/epp'
import * as libxml from 'libxml2-wasm'
import type { Host, RegistryZones } from '../dns/registry-zones.ts'
import type { Registration } from '../rdap/registrations.ts'
import type { Answer } from '../web/answer.ts'
import { hostAndPort, listen } from '../web/listen.ts'
import { EppBehaviours } from './behaviour.ts'
import { eppServerName, keepEppCertificates, registrarFiles } from './certificates.ts'
import { answerControl } from './control.ts'
import { RegistryNames } from './names.ts'
import { ObjectStore } from './object-store.ts'
import type { Domain } from './objects.ts'
import { Registry } from './registry.ts'
import type { EppServerContext, NotedCommand } from './server-context.ts'
import { EppSession } from './session.ts'

export interface EppOptions {
  /** Where objects, certificates and the registrars' passwords are kept. */
  readonly dataDir: string
  /** `host:port`; port 0 takes a free one. */
  readonly listen: string
  readonly tlds: readonly string[]
  /** Gets the delegations and the glue. */
  readonly zones: RegistryZones
  /** Initial hosts below the TLDs, with addresses. They belong to the registry. */
  readonly hosts: readonly Host[]
  readonly log?: (message: string) => void
}

/** How a registrar connects: the data that it gets from the registry on accreditation. */
export interface RegistrarAccess {
  readonly host: string
  readonly port: number
  readonly server_name: string
  readonly ca_file: string
  readonly cert_file: string
  readonly key_file: string
  readonly registrar_id: string
  readonly password_file: string
}

/** A running EPP server. */
export interface EppServer {
  readonly address: string
  readonly registry: Registry
  readonly behaviours: EppBehaviours
  readonly noted: readonly NotedCommand[]
  /** How each registrar connects, by its id. */
  readonly access: Readonly<Record<string, RegistrarAccess>>
  /** The registry's data of a domain; undefined if it is not registered here. */
  registration(domain: string): Registration | undefined
  /** Handles HTTP requests below `/epp/`. */
  answer(request: IncomingMessage): Promise<Answer | undefined>
  /** How many sessions a registrar has. */
  sessionsOf(registrar: string): number
  closeSessions(): void
  close(): Promise<void>
}

/** Our own service's account, and another registrar's to transfer from and to. */
const registrars = ['zonewright', 'rival']
const firstBalance = 10_000_000_000
const mostNoted = 20_000
const maxSessions = 32
const sweepEveryMs = 60_000

/** Starts the registry's EPP server: TLS 1.2 or later, and only client certificates of its own authority. */
export async function startEpp({ dataDir, listen: at, tlds, zones, hosts, log }: EppOptions): Promise<EppServer> {
  const { ca, caFile, cert, key } = await keepEppCertificates(dataDir, registrars)
  const store = new ObjectStore(dataDir)
  openAccounts(store)
  for (const { name, address } of hosts) openHost(store, name, address)
  store.commit()
  const registry = new Registry(store, new RegistryNames(tlds), zones)
  const sessions = new Set<EppSession>()
  const noted: NotedCommand[] = []
  const context: EppServerContext = {
    registry,
    readXml: xmlReader(libxml),
    behaviours: new EppBehaviours(),
    maxSessions,
    sessionsOf: (registrar) => [...sessions].filter((session) => session.registrar === registrar).length,
    note: (command) => {
      noted.push(command)
      if (noted.length > mostNoted) noted.splice(0, mostNoted / 2)
    },
    log: log ?? (() => undefined),
  }
  const server = createServer({ ca, cert, key, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' })
  server.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy())
    const session = new EppSession(context, socket)
    sessions.add(session)
    socket.on('close', () => sessions.delete(session))
  })
  server.on('tlsClientError', () => undefined)
  const address = await listen(server, at)
  const sweeps = setInterval(() => registry.sweep(), sweepEveryMs).unref()
  const closeSessions = (): void => {
    for (const session of sessions) session.close()
  }
  return {
    address,
    registry,
    behaviours: context.behaviours,
    noted,
    access: await accessOf(store, dataDir, caFile, address),
    registration: (domain) => {
      const found = registry.domain(domain)
      return found && registrationOf(found)
    },
    answer: (request) => answerControl({ ...context, noted, closeSessions }, request),
    sessionsOf: context.sessionsOf,
    closeSessions,
    close: async () => {
      clearInterval(sweeps)
      const closed = once(server, 'close')
      server.close()
      closeSessions()
      await closed
      store.commit()
      store.close()
    },
  }
}

function registrationOf({ nameservers, createdAt, expiresAt }: Domain): Registration {
  return { nameservers, registeredAt: new Date(createdAt), expiresAt: new Date(expiresAt) }
}

function openAccounts(store: ObjectStore): void {
  for (const id of registrars) {
    if (store.get('registrar', id) !== undefined) continue
    // 6 to 16 characters (RFC 5730 §4.1).
    store.put('registrar', id, { id, password: randomBytes(12).toString('base64url'), balance: firstBalance })
  }
}

function openHost(store: ObjectStore, name: string, address: string): void {
  if (store.get('host', name) !== undefined) return
  const version = address.includes(':') ? ('v6' as const) : ('v4' as const)
  const roid = `H${store.next()}-SANDBOX`
  store.put('host', name, { name, roid, sponsor: 'registry', createdAt: Date.now(), addresses: [{ address, version }] })
}

/** Writes a file for each registrar with its password and its connection data. */
async function accessOf(
  store: ObjectStore,
  dataDir: string,
  caFile: string,
  address: string,
): Promise<Record<string, RegistrarAccess>> {
  const access: Record<string, RegistrarAccess> = {}
  const { host, port } = hostAndPort(address)
  for (const { id, password } of store.all('registrar')) {
    const passwordFile = join(dataDir, `${id}.password`)
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    const { certFile, keyFile } = registrarFiles(dataDir, id)
    access[id] = {
      host,
      port,
      server_name: eppServerName,
      ca_file: caFile,
      cert_file: certFile,
      key_file: keyFile,
      registrar_id: id,
      password_file: passwordFile,
    }
    await writeFile(join(dataDir, `${id}.json`), `${JSON.stringify(access[id], undefined, 2)}\n`)
  }
  return access
}
