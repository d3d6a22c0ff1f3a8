import { randomBytes } from 'node:crypto'
import { accessSync, constants, mkdirSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { CannotStart } from '../cannot-start.ts'
import { type BrandSetting, parseServiceColor, parseServiceLinks, parseServiceName, readLogo } from './brand-setting.ts'
import { dataDirOf } from './data-dir.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { keptSecret } from './kept-secret.ts'
import { type MailSender, parseMailFrom, parseSmtpUrl, type SmtpSetting } from './mail-setting.ts'
import { type PaymentsSetting, paymentsSetting } from './payments-setting.ts'
import { type ProviderSetting, readProviders } from './providers-setting.ts'
import { type RegistrySetting, readRegistries } from './registries-setting.ts'
import { keptTsigKey, parseTsigKey, type TsigKeyText } from './tsig-key.ts'

/** Where to listen, or whom to reach. */
export interface HostPort {
  readonly host: string
  readonly port: number
}

/** DNS over TLS (RFC 7858): where to listen, and the files of the certificate chain and its key (PEM). */
export interface DoorTls {
  readonly listen: HostPort
  readonly certFile: string
  readonly keyFile: string
}

/** A public nameserver: its host name goes into every zone's NS, its address is notified and queried. */
export interface NameserverSetting extends HostPort {
  readonly name: string
}

/** A metric of free disk space: the page that has it, and its name, with as many of its labels as are needed to find it. */
export interface DiskMetric {
  readonly url: string
  readonly name: string
  /** Such as `mountpoint="/var/lib/postgresql"`. */
  readonly labels: readonly string[]
}

/** This installation as a DNS provider of Domain Connect. */
export interface DomainConnectSetting {
  /** Usually a domain of the operator. */
  readonly providerId: string
  /** Shown by service providers. */
  readonly providerName: string
}

/** Everything that the environment decides, checked once. Nothing else in the service reads the environment. */
export interface Configuration {
  readonly dataDir: string
  /** undefined: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined
  /** Whom `migrate` gives the rights of the service's processes; undefined: they run as the schema's owner. */
  readonly databaseRole: string | undefined
  /** Whom `migrate` gives the rights of a DNS door in a separate process; undefined: it runs as one of the two above. */
  readonly databaseDoorRole: string | undefined
  /** Whom `migrate` lets see the sessions and settings of PostgreSQL (`pg_monitor`), for the doctor. */
  readonly databaseDoctorRole: string | undefined
  /** How the doctor connects to see them; undefined: like the service. */
  readonly databaseDoctorUrl: string | undefined
  /** Free space on the disk of a PostgreSQL on another machine, in bytes. */
  readonly databaseDiskMetric: DiskMetric | undefined
  readonly secretKey: Buffer
  /** The other key while SECRET_KEY is being replaced: reads, and seals nothing. */
  readonly secretKeyFallback: Buffer | undefined
  readonly publicUrl: string
  readonly httpListen: HostPort
  /** Addresses and networks (CIDR) of reverse proxies in front of the API. */
  readonly trustedProxies: readonly string[]
  /** Open connections that one address may have at the API; those of trusted proxies are not counted. */
  readonly connectionsPerAddress: number
  /** Bytes of request bodies and responses that an API process holds at once. */
  readonly httpMemoryBytes: number
  /** How long the API keeps answering after it was asked to stop, so that load balancers notice it. */
  readonly drainMs: number
  /** Where all processes of the installation have `/healthz` and `/readyz`, for the doctor; none: it looks for none. */
  readonly metricsTargets: readonly HostPort[]
  /** A port for `/metrics` and health of this process; undefined: the API's own port has them. */
  readonly metricsListen: HostPort | undefined
  readonly primaryListen: HostPort
  /** UDP and TCP of the DNS door. */
  readonly doorListen: HostPort
  /** Where customers reach it: for the configurations of their programs. */
  readonly doorAddress: HostPort
  /** TLS of the DNS door; undefined: it has none. */
  readonly doorTls: DoorTls | undefined
  /** What a DNS door opens TSIG secrets with, if it is not to know SECRET_KEY; undefined: it derives them from SECRET_KEY. */
  readonly doorKeys: readonly [key: Buffer, fallback?: Buffer] | undefined
  readonly nameservers: readonly NameserverSetting[]
  readonly tsigKey: TsigKeyText
  /** The other key while TSIG_KEY is being replaced: accepted, and signs only answers to what it has signed. */
  readonly tsigKeyFallback: TsigKeyText | undefined
  /** Domains under which free subdomains can be claimed: live zones here. */
  readonly freeParents: readonly string[]
  /** Recursive resolvers that are queried for proofs of control; none: those of the system. */
  readonly verificationResolver: readonly HostPort[]
  /** Recursive resolvers that are queried for the targets of ALIAS records; none: those of the system. */
  readonly aliasResolver: readonly HostPort[]
  /** Finds the servers of zones' parents. */
  readonly delegationResolver: HostPort
  /** A list of RDAP servers (RFC 9224), for querying registries; undefined: registries are not queried. */
  readonly rdapBootstrap: string | undefined
  /** Public resolvers, whose answers customers are shown. */
  readonly resolvers: readonly HostPort[]
  readonly webhookTrustedTargets: readonly string[]
  readonly webhookCaFile: string | undefined
  /** The addresses and networks that webhooks come from, as customers see them; none: they are not published. */
  readonly webhookSourceAddresses: readonly string[]
  /** Recursive resolvers that are queried for the receivers' addresses; none: those of the system. */
  readonly webhookResolver: readonly HostPort[]
  /** undefined: nothing is sent; emails wait. */
  readonly smtp: SmtpSetting | undefined
  readonly mailFrom: MailSender
  /** A folder of templates in addition to those that come with the service; undefined: none. */
  readonly presetsDir: string | undefined
  /** Undefined: service providers cannot set up their services by Domain Connect. */
  readonly domainConnect: DomainConnectSetting | undefined
  /** A folder of Domain Connect templates; undefined: none are installed. */
  readonly domainConnectDir: string | undefined
  /** The gateway for card payments. */
  readonly payments: PaymentsSetting
  /** Whether customers can save cards for auto-renew. */
  readonly savedCards: boolean
  /** The providers that people can sign in with. */
  readonly signInProviders: readonly ProviderSetting[]
  /** The registries whose domains are sold. */
  readonly registries: readonly RegistrySetting[]
  /** The built dashboard; undefined: none is served. */
  readonly dashboardDir: string | undefined
  /** What people see of the operator on every page. */
  readonly brand: BrandSetting
  readonly logLevel: string
}

/** The environment has values that cannot be used; the message has a line for each. */
export class ConfigurationFault extends CannotStart {
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the whole configuration, and reports all faults at once. Missing secrets are created once, under DATA_DIR.
 *
 * `isDoor`: for a DNS door in a process of its own. With DOOR_KEY, it needs no SECRET_KEY.
 */
export function readConfiguration(env: Environment, { isDoor = false } = {}): Configuration {
  const faults: string[] = []
  const take = <T>(name: string, fallback: () => string, parse: (text: string) => T): T | undefined => {
    try {
      return parse(env[name] ?? fallback())
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`)
      return undefined
    }
  }
  const dataDir = dataDirOf(env)
  const usable = take('DATA_DIR', () => dataDir, makeFolder) !== undefined
  const httpListen = take('HTTP_LISTEN', () => '127.0.0.1:8080', parseHostPort)
  /** A secret that may be missing; nothing is created in a folder that was reported as unusable. */
  const secret = <T>(name: string, kept: (dataDir: string) => string, parse: (text: string) => T): T | undefined =>
    usable || env[name] !== undefined ? take(name, () => kept(dataDir), parse) : undefined
  const settings = {
    dataDir,
    databaseUrl: env['DATABASE_URL'] === undefined ? undefined : take('DATABASE_URL', () => '', databaseUrl),
    databaseRole: env['DATABASE_ROLE'],
    databaseDoorRole: env['DATABASE_DOOR_ROLE'] || undefined,
    databaseDoctorRole: env['DATABASE_DOCTOR_ROLE'] || undefined,
    databaseDoctorUrl: env['DATABASE_DOCTOR_URL'] ? take('DATABASE_DOCTOR_URL', () => '', databaseUrl) : undefined,
    databaseDiskMetric: take('DATABASE_DISK_METRIC', () => '', parseDiskMetric),
    httpListen,
    publicUrl: take('PUBLIC_URL', () => `http://${httpListen ? textOf(httpListen) : '127.0.0.1'}`, parseUrl),
    trustedProxies: take(
      'TRUSTED_PROXIES',
      () => '',
      (text) => listOf(text).map(parseNetwork),
    ),
    connectionsPerAddress: take('CONNECTIONS_PER_ADDRESS', () => '256', parseConnections),
    httpMemoryBytes: take('HTTP_MEMORY_MIB', () => '256', parseMemoryMib),
    drainMs: take('DRAIN_SECONDS', () => '0', parseDrainSeconds),
    metricsListen: take(
      'METRICS_LISTEN',
      () => '',
      (text) => (text === '' ? undefined : parseHostPort(text)),
    ),
    metricsTargets: take(
      'METRICS_TARGETS',
      () => '',
      (text) => listOf(text).map(parseHostPort),
    ),
    primaryListen: take('PRIMARY_LISTEN', () => '127.0.0.1:5300', parseHostPort),
    doorListen: take('DOOR_LISTEN', () => defaultDoor, parseHostPort),
    doorAddress: take('DOOR_ADDRESS', () => env['DOOR_LISTEN'] ?? defaultDoor, parseServer),
    doorTls: doorTls(env, take),
    doorKeys: isDoor ? doorKeys(take) : undefined,
    nameservers: take('NAMESERVERS', () => sandboxNameservers, parseNameservers),
    freeParents: take('FREE_PARENTS', () => '', parseDomains),
    verificationResolver: take(
      'VERIFICATION_RESOLVER',
      () => '',
      (text) => listOf(text).map(parseHostPort),
    ),
    aliasResolver: take(
      'ALIAS_RESOLVER',
      () => '',
      (text) => listOf(text).map(parseServer),
    ),
    delegationResolver: take('DELEGATION_RESOLVER', () => '1.1.1.1:53', parseServer),
    rdapBootstrap: take('RDAP_BOOTSTRAP', () => 'https://data.iana.org/rdap/dns.json', parseUrlOrOff),
    resolvers: take(
      'RESOLVERS',
      () => '1.1.1.1,8.8.8.8,9.9.9.9',
      (text) => listOf(text).map(parseServer),
    ),
    webhookTrustedTargets: take(
      'WEBHOOK_TRUSTED_TARGETS',
      () => '',
      (text) => listOf(text).map((item) => textOf(parseHostPort(item))),
    ),
    webhookResolver: take(
      'WEBHOOK_RESOLVER',
      () => '',
      (text) => listOf(text).map(parseServer),
    ),
    webhookCaFile: take('WEBHOOK_CA_FILE', () => '', readableFile),
    webhookSourceAddresses: take(
      'WEBHOOK_SOURCE_ADDRESSES',
      () => '',
      (text) => listOf(text).map(parseNetwork),
    ),
    smtp: take('SMTP_URL', () => '', parseSmtpUrl),
    mailFrom: take('MAIL_FROM', () => (env['SMTP_URL'] ? '' : sandboxMailFrom), parseMailFrom),
    presetsDir: take('PRESETS_DIR', () => '', readableFolder),
    domainConnect: take('DOMAIN_CONNECT', () => '', parseDomainConnect),
    domainConnectDir: take('DOMAIN_CONNECT_DIR', () => '', readableFolder),
    payments: take(
      'PAYMENTS',
      () => 'sandbox',
      (text) =>
        paymentsSetting(text, env, () => (usable ? keptSecret(join(dataDir, 'gateway.key'), newGatewayKey) : '')),
    ),
    savedCards: take('SAVED_CARDS', () => ((env['PAYMENTS'] ?? 'sandbox') === 'sandbox' ? 'on' : 'off'), onOrOff),
    signInProviders: take('SIGN_IN_PROVIDERS', () => '', readProviders),
    registries: take('REGISTRIES', () => '', readRegistries),
    dashboardDir: take('DASHBOARD_DIR', () => '', readableFolder),
    brand: {
      name: take('SERVICE_NAME', () => 'Zonewright', parseServiceName),
      logo: take('SERVICE_LOGO', () => '', readLogo),
      color: take('SERVICE_COLOR', () => '', parseServiceColor),
      links: take('SERVICE_LINKS', () => '', parseServiceLinks),
    },
    logLevel: take('LOG_LEVEL', () => 'info', parseLogLevel),
    secretKey:
      isDoor && env['DOOR_KEY'] !== undefined ? unknownSecretKey : secret('SECRET_KEY', keptSecretKey, parseSecretKey),
    secretKeyFallback: take('SECRET_KEY_FALLBACK', () => '', fallback(parseSecretKey)),
    tsigKey: secret('TSIG_KEY', keptTsigKey, parseTsigKey),
    tsigKeyFallback: take('TSIG_KEY_FALLBACK', () => '', fallback(parseTsigKey)),
  }
  const { secretKey, secretKeyFallback, tsigKey, tsigKeyFallback, domainConnect, publicUrl } = settings
  if (domainConnect && publicUrl && !isForServiceProviders(publicUrl))
    faults.push('DOMAIN_CONNECT: needs a PUBLIC_URL that starts with https, because service providers use no other')
  if (secretKey && secretKeyFallback?.equals(secretKey)) faults.push(sameKey('SECRET_KEY'))
  if (tsigKey && tsigKeyFallback?.text === tsigKey.text) faults.push(sameKey('TSIG_KEY'))
  if (faults.length > 0) throw new ConfigurationFault(faults)
  return settings as Configuration
}

const defaultDoor = '127.0.0.1:5305'
const sandboxMailFrom = 'Zonewright <support@zonewright.test>'
const sandboxNameservers = 'ns1.zonewright.test=127.0.0.1:5301,ns2.zonewright.test=127.0.0.1:5302'

/** For a DNS door that must not know SECRET_KEY. It opens nothing, and is not used to seal. */
const unknownSecretKey = randomBytes(32)

type Take = <T>(name: string, fallback: () => string, parse: (text: string) => T) => T | undefined

function doorTls(env: Environment, take: Take): DoorTls | undefined {
  const given = ['DOOR_TLS_CERT', 'DOOR_TLS_KEY'].filter((name) => env[name])
  if (given.length === 0) return undefined
  const listen = take('DOOR_TLS_LISTEN', () => '127.0.0.1:5853', parseHostPort)
  const certFile = take('DOOR_TLS_CERT', () => '', requiredFile)
  const keyFile = take('DOOR_TLS_KEY', () => '', requiredFile)
  return listen && certFile && keyFile ? { listen, certFile, keyFile } : undefined
}

function doorKeys(take: Take): Configuration['doorKeys'] {
  const key = take('DOOR_KEY', () => '', fallback(parseSecretKey))
  const other = take('DOOR_KEY_FALLBACK', () => '', fallback(parseSecretKey))
  return key && (other ? [key, other] : [key])
}

function databaseUrl(text: string): string {
  parseDatabaseUrl(text)
  return text
}

/** `127.0.0.1:8080` or `[::1]:8080`. */
export function parseHostPort(text: string): HostPort {
  const [, v6, host, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(text.trim()) ?? []
  const name = v6 ?? host
  if (name === undefined || Number(port) > 65_535)
    throw new Error(`${JSON.stringify(text)} is not host:port, such as 127.0.0.1:8080`)
  return { host: name, port: Number(port) }
}

export function textOf({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** A DNS server: an IP address, or with a port other than 53 `127.0.0.1:5310` or `[::1]:5310`. */
function parseServer(text: string): HostPort {
  const server = isIP(text) === 0 ? parseHostPort(text) : { host: text, port: 53 }
  if (isIP(server.host) === 0 || server.port === 0)
    throw new Error(`${JSON.stringify(text)} is not an IP address, such as 192.0.2.53 or 192.0.2.53:5353`)
  return server
}

/** `10.0.0.1`, or a network such as `10.0.0.0/8`. */
function parseNetwork(text: string): string {
  const [address = '', bits, ...more] = text.split('/')
  const most = [0, 32, 128][isIP(address) === 0 ? 0 : isIP(address) === 4 ? 1 : 2] ?? 0
  const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
  if (most === 0 || !isNetwork || more.length > 0)
    throw new Error(`${JSON.stringify(text)} is not an address or a network, such as 10.0.0.1 or 10.0.0.0/8`)
  return text
}

function parseConnections(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`${JSON.stringify(text)} is not a number from 1 to 99999`)
  return Number(text)
}

/** At least two imports of the largest size fit, with room for small requests. */
function parseMemoryMib(text: string): number {
  if (!/^\d{2,6}$/.test(text) || Number(text) < 48)
    throw new Error(`${JSON.stringify(text)} is not a whole number of MiB, at least 48`)
  return Number(text) * 1024 * 1024
}

/** A stop has ten seconds in all. */
function parseDrainSeconds(text: string): number {
  if (!/^[0-5](\.\d)?$/.test(text) || Number(text) > 5)
    throw new Error(`${JSON.stringify(text)} is not a number of seconds from 0 to 5`)
  return Number(text) * 1_000
}

function parseNameservers(text: string): NameserverSetting[] {
  const settings = listOf(text).map((item) => {
    const [name, address, ...more] = item.split('=')
    if (!name || !address || more.length > 0)
      throw new Error(`${JSON.stringify(item)} is not name=host:port, such as ns1.example.net=192.0.2.1:53`)
    return { name: name.toLowerCase().replace(/\.$/, ''), ...parseHostPort(address) }
  })
  if (settings.length < 2) throw new Error('at least two nameservers are needed')
  if (new Set(settings.map(({ name }) => name)).size < settings.length) throw new Error('a name appears twice')
  return settings
}

function parseDomains(text: string): string[] {
  return listOf(text).map((item) => {
    const name = item.toLowerCase().replace(/\.$/, '')
    if (!/^([a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}$/.test(name))
      throw new Error(`${JSON.stringify(item)} is not a domain, such as free.example.net`)
    return name
  })
}

function parseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Error(`${JSON.stringify(text)} is not an http or https URL`)
  return text.replace(/\/$/, '')
}

/** `example.net=Example DNS`; undefined for an empty text. */
function parseDomainConnect(text: string): DomainConnectSetting | undefined {
  if (text.trim() === '') return undefined
  const [, id, name] = /^\s*([a-z0-9][a-z0-9._-]{0,99})\s*=\s*(\P{Cc}{1,100}?)\s*$/iu.exec(text) ?? []
  if (id === undefined || name === undefined)
    throw new Error(`${JSON.stringify(text)} is not id=name, such as example.net=Example DNS`)
  return { providerId: id, providerName: name }
}

/** https; or this machine, to try it. */
function isForServiceProviders(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/** A URL; `off`: none. */
function parseUrlOrOff(text: string): string | undefined {
  return text === 'off' ? undefined : parseUrl(text)
}

/** `http://192.0.2.10:9100/metrics node_filesystem_avail_bytes{mountpoint="/"}`; undefined for no metric. */
function parseDiskMetric(text: string): DiskMetric | undefined {
  if (text === '') return undefined
  const [, url = '', name = '', labels = ''] = /^(\S+) +([a-zA-Z_:][\w:]*)(?:\{(.*)\})?$/.exec(text.trim()) ?? []
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error(
      `${JSON.stringify(text)} is not a URL and the name of a metric, such as http://192.0.2.10:9100/metrics node_filesystem_avail_bytes{mountpoint="/"}`,
    )
  return { url, name, labels: labels.match(/\w+="[^"]*"/g) ?? [] }
}

function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Error(`${JSON.stringify(text)} is neither on nor off`)
  return text === 'on'
}

function parseLogLevel(text: string): string {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
  if (!levels.includes(text)) throw new Error(`${JSON.stringify(text)} is not one of ${levels.join(', ')}`)
  return text
}

function keptSecretKey(dataDir: string): string {
  return keptSecret(join(dataDir, 'secret.key'), () => randomBytes(32).toString('base64'))
}

function parseSecretKey(text: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) throw new Error('must be 32 bytes in base64 (create them with `openssl rand -base64 32`)')
  return key
}

/** A second key, which most installations do not have. */
function fallback<T>(parse: (text: string) => T): (text: string) => T | undefined {
  return (text) => (text.trim() === '' ? undefined : parse(text))
}

function sameKey(name: string): string {
  return `${name}_FALLBACK: is the same key as ${name}; set it to the other key, or remove it`
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** The path of a file that can be read; undefined for no path. */
function readableFile(path: string): string | undefined {
  if (path === '') return undefined
  try {
    accessSync(path, constants.R_OK)
    return path
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** The path of a file that can be read. */
function requiredFile(path: string): string {
  if (path === '') throw new Error('is missing; DNS over TLS needs both DOOR_TLS_CERT and DOOR_TLS_KEY')
  return readableFile(path) ?? path
}

/** The path of a folder that can be listed; undefined for no path. */
function readableFolder(path: string): string | undefined {
  if (path === '') return undefined
  try {
    readdirSync(path)
    return resolve(path)
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function makeFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const probe = join(path, `.write-${process.pid}`)
    writeFileSync(probe, '')
    unlinkSync(probe)
    return path
  } catch (error) {
    throw new Error(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}`)
  }
}

function newGatewayKey(): string {
  return `sk_test_${randomBytes(20).toString('hex')}`
}
