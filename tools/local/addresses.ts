import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/** Where the programs of one installation listen, each as host:port. */
export interface Addresses {
  readonly http: string
  readonly primary: string
  readonly door: string
  readonly ns1: string
  readonly ns2: string
  readonly receiver: string
  readonly receiverLog: string
  readonly smtp: string
  readonly mailbox: string
  readonly registryEpp: string
  readonly registryDns: string
  readonly resolver: string
  readonly registry: string
  readonly gateway: string
}

/** The addresses of `npm start`, as the environment has them or as documented. */
export function documentedAddresses(env: Readonly<Record<string, string | undefined>>): Addresses {
  const [ns1 = '127.0.0.1:5301', ns2 = '127.0.0.1:5302'] = nameserversIn(env['NAMESERVERS'] ?? '').map(
    ({ address }) => address,
  )
  return {
    http: env['HTTP_LISTEN'] ?? '127.0.0.1:8080',
    primary: env['PRIMARY_LISTEN'] ?? '127.0.0.1:5300',
    door: env['DOOR_LISTEN'] ?? '127.0.0.1:5305',
    ns1,
    ns2,
    receiver: env['SANDBOX_RECEIVER_LISTEN'] ?? '127.0.0.1:8443',
    receiverLog: env['SANDBOX_LISTEN'] ?? '127.0.0.1:8081',
    smtp: env['SANDBOX_SMTP_LISTEN'] ?? '127.0.0.1:2525',
    mailbox: env['SANDBOX_MAILBOX_LISTEN'] ?? '127.0.0.1:8082',
    registryEpp: env['SANDBOX_EPP_LISTEN'] ?? '127.0.0.1:7000',
    registryDns: env['SANDBOX_DNS_LISTEN'] ?? '127.0.0.1:5310',
    resolver: env['SANDBOX_RESOLVER_LISTEN'] ?? '127.0.0.1:5311',
    registry: env['SANDBOX_REGISTRY_LISTEN'] ?? '127.0.0.1:8083',
    gateway: env['SANDBOX_GATEWAY_LISTEN'] ?? '127.0.0.1:8084',
  }
}

/** The valid part of NAMESERVERS. The service reports errors in the rest. */
export function nameserversIn(text: string): { readonly name: string; readonly address: string }[] {
  return text.split(',').flatMap((item) => {
    const [name, address] = item.trim().split('=')
    return name && address ? [{ name, address }] : []
  })
}

/** The same with full names: `ns1` alone becomes ns1.zonewright.test, the name of the sandbox's nameserver. */
export function withWholeNames(nameservers: string): string {
  return nameservers.replaceAll(/(?<=^|,)(\s*[^.=,]+)=/g, '$1.zonewright.test=')
}

/** The environment in which `npm start` takes these addresses. */
export function environmentOf(addresses: Addresses): Record<string, string> {
  return {
    HTTP_LISTEN: addresses.http,
    PRIMARY_LISTEN: addresses.primary,
    DOOR_LISTEN: addresses.door,
    NAMESERVERS: `ns1=${addresses.ns1},ns2=${addresses.ns2}`,
    SANDBOX_RECEIVER_LISTEN: addresses.receiver,
    SANDBOX_LISTEN: addresses.receiverLog,
    SANDBOX_SMTP_LISTEN: addresses.smtp,
    SANDBOX_MAILBOX_LISTEN: addresses.mailbox,
    SANDBOX_EPP_LISTEN: addresses.registryEpp,
    SANDBOX_DNS_LISTEN: addresses.registryDns,
    SANDBOX_RESOLVER_LISTEN: addresses.resolver,
    SANDBOX_REGISTRY_LISTEN: addresses.registry,
    SANDBOX_GATEWAY_LISTEN: addresses.gateway,
  }
}

/** The settings whose addresses are in use: for each a line that says what to do. `settings` is what `environmentOf` returns, or more of it. */
export async function inUse(settings: Readonly<Record<string, string>>): Promise<string[]> {
  const all = Object.entries(settings).flatMap(([setting, text]) =>
    setting === 'NAMESERVERS'
      ? nameserversIn(text).map(({ address }) => ({ setting, address }))
      : [{ setting, address: text }],
  )
  const faults = all.map(async ({ setting, address }) => {
    const { host, port } = hostAndPort(address)
    // The program that should listen there refuses invalid addresses.
    if (Number.isNaN(port) || (await tcpIsFree(host, port))) return []
    return [
      `${address} is in use. Stop the program that uses it, such as \`npm start\` or another \`npm run dev\`, or set ${setting} to a free address.`,
    ]
  })
  return (await Promise.all(faults)).flat()
}

/** The parts of `127.0.0.1:80` or `[::1]:80`; without a port, `port` is NaN. */
export function hostAndPort(address: string): { readonly host: string; readonly port: number } {
  const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? []
  return { host, port: Number(port) }
}

/** Loopback addresses that are currently unused, for both TCP and UDP. */
export async function freeAddresses(): Promise<Addresses> {
  const next = async (): Promise<string> => `127.0.0.1:${await freePort()}`
  return {
    http: await next(),
    primary: await next(),
    door: await next(),
    ns1: await next(),
    ns2: await next(),
    receiver: await next(),
    receiverLog: await next(),
    smtp: await next(),
    mailbox: await next(),
    registryEpp: await next(),
    registryDns: await next(),
    resolver: await next(),
    registry: await next(),
    gateway: await next(),
  }
}

/** Below the range of ports for outgoing connections, so that none of these takes the port first. */
const portRange = { from: 15_000, to: 32_000 }

/** The ports that this process has already got, and may not be listening on yet. */
const given = new Set<number>()

/** A port of 127.0.0.1 that is currently unused, for both TCP and UDP. No port is returned twice, not even to two processes. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portRange.from, portRange.to)
    if (given.has(port)) continue
    given.add(port)
    if ((await reserve(port)) && (await tcpIsFree('127.0.0.1', port)) && (await udpIsFree(port))) return port
  }
}

/**
 * Whether this process is the only one that got the port. Its programs may listen on it much later.
 *
 * Held by a socket in Linux's abstract namespace, which ends with the process. Other systems have no such sockets.
 */
function reserve(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(true)
  return new Promise((resolve) => {
    const reservation = createServer().once('error', () => resolve(false))
    reservation.listen({ path: `\0zonewright port ${port}` }, () => resolve(true)).unref()
  })
}

function tcpIsFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })
}

function udpIsFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createSocket('udp4').once('error', () => resolve(false))
    probe.bind(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
