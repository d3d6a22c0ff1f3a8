import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type EppServer, type RegistryDns, startRegistryDns } from '@zonewright/sandbox'
import { createEppRegistries, type EppSettings, readEppSettings } from '#adapters/epp/index.ts'
import type { DomainInfo, Outcome, Registration, Registries, Registry } from '#ports/registry.ts'

/** The sandbox's registry on free ports, with an empty data folder. */
export interface SandboxRegistry extends RegistryDns {
  readonly epp: EppServer
  /** A registrar's connection settings, with short waits. */
  settingsOf(registrar: string, more?: Partial<EppSettings>): EppSettings
  /** A registrar's connection; closed with the registry. */
  connect(registrar: string, more?: Partial<EppSettings>): Registry
  /** Stops it, and starts it again with its stored data. */
  restart(): Promise<void>
}

const tlds = ['test', 'com.test']
const quiet = { info: () => undefined, warn: () => undefined }

/** Starts a registry for the tests of a file, which closes after them. */
export async function startSandboxRegistry(): Promise<SandboxRegistry> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-epp-'))
  const start = (eppListen: string) =>
    startRegistryDns({
      dataDir,
      dnsListen: '127.0.0.1:0',
      httpListen: '127.0.0.1:0',
      eppListen,
      tlds,
      servers: [{ name: 'ns.nic.test', address: '127.0.0.1' }],
      hosts: [
        { name: 'ns1.zonewright.test', address: '192.0.2.1' },
        { name: 'ns2.zonewright.test', address: '192.0.2.2' },
      ],
    })
  let running = await start('127.0.0.1:0')
  const connected: Registries[] = []
  const eppOf = ({ epp }: RegistryDns): EppServer => {
    if (epp === undefined) throw new Error('no EPP server')
    return epp
  }
  const address = eppOf(running).address
  const settingsOf = (registrar: string, more: Partial<EppSettings> = {}): EppSettings => ({
    ...readEppSettings('sandbox', tlds, eppOf(running).access[registrar]),
    // Short enough to test the waiting, long enough for the answer of a slow machine.
    commandTimeoutMs: 20_000,
    loginRetryMs: 10,
    pollEveryMs: 20,
    ...more,
  })
  const registry: SandboxRegistry = {
    get dnsAddress() {
      return running.dnsAddress
    },
    get httpAddress() {
      return running.httpAddress
    },
    get zones() {
      return running.zones
    },
    get behaviours() {
      return running.behaviours
    },
    get rdap() {
      return running.rdap
    },
    get epp() {
      return eppOf(running)
    },
    settingsOf,
    connect: (registrar, more) => {
      const registries = createEppRegistries([settingsOf(registrar, more)], quiet)
      connected.push(registries)
      const [registry] = registries.all
      if (registry === undefined) throw new Error('no registry')
      return registry
    },
    restart: async () => {
      await running.close()
      running = await start(address)
    },
    close: async () => {
      await Promise.all(connected.map((registries) => registries.close()))
      await running.close()
      await rm(dataDir, { recursive: true })
    },
  }
  after(() => registry.close())
  return registry
}

let drawn = 0

/** A clTRID that is unique in this process. */
export function trid(): string {
  drawn++
  return `test-${process.pid}-${drawn}`
}

/** Creates a contact, and returns the data to register a domain with it. */
export async function registrationOf(
  registry: Registry,
  name: string,
  more: Partial<Registration> = {},
): Promise<Registration> {
  const id = `C${process.pid}-${drawn++}`
  const contact = {
    id,
    name: 'Ada Obi',
    organization: '',
    street: ['1 Marina Road'],
    city: 'Lagos',
    state: 'Lagos',
    postalCode: '101001',
    country: 'NG',
    phone: '+234.8012345678',
    phoneExtension: '',
    email: 'ada@example.net',
  }
  done(await registry.contacts.create(contact, 'contact-Secret1', trid()))
  return {
    name,
    years: 1,
    registrant: id,
    contacts: [
      { type: 'admin', id },
      { type: 'tech', id },
    ],
    nameservers: ['ns1.zonewright.test', 'ns2.zonewright.test'],
    authInfo: 'transfer-Secret1',
    ...more,
  }
}

/** Registers a domain, and returns the registry's data about it. */
export async function register(
  registry: Registry,
  name: string,
  more: Partial<Registration> = {},
): Promise<DomainInfo> {
  done(await registry.domains.create(await registrationOf(registry, name, more), trid()))
  return done(await registry.domains.info(name))
}

/** The value of a `done` outcome. Throws for any other. */
export function done<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') throw new Error(`not done: ${JSON.stringify(outcome)}`)
  return outcome.value
}
