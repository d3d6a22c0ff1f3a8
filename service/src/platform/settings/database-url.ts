import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { createSecureContext, type SecureContextOptions } from 'node:tls'

/** A server of PostgreSQL: its name, its address, or the folder of its Unix socket. */
export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

/** What DATABASE_URL says. */
export interface DatabaseUrl {
  /** In their order, at least one. */
  readonly hosts: readonly DatabaseHost[]
  /** The rest, for a client of pg, which takes from the environment (PGUSER, PGPASSWORD, …) what is missing here. */
  readonly connection: {
    readonly database: string
    readonly user?: string
    readonly password?: string
    readonly ssl?: false | (SecureContextOptions & { readonly rejectUnauthorized: boolean })
  }
}

const example = 'postgres://USER:PASSWORD@HOST:5432/DATABASE'
const defaultPort = '5432'
const parameters = ['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'target_session_attrs']
const sslModes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']

/**
 * Reads a connection URI of PostgreSQL (manual 34.1.1.2), with one host or several (34.1.1.3).
 *
 * Stricter than libpq: it takes nothing that could also mean something else, and no parameter that it would not honor. `require` and
 * `verify-ca` verify the certificate and its name, as `verify-full` does.
 *
 * @throws Error whose message is one clause about the fault; it quotes no part of the text where a password may be
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const trimmed = text.trim()
  if (trimmed === '') throw new Error(`is set, but empty; set a URL such as ${example}, or do not set it`)
  const [, rest] = /^postgres(?:ql)?:\/\/(.*)$/s.exec(trimmed) ?? []
  if (rest === undefined) throw new Error(`must begin with postgres:// or postgresql://, as in ${example}`)
  refuseUnwritten(rest)
  const [, authority = '', path = '', query] = /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(rest) ?? []
  if (rest.includes('@') && !authority.includes('@'))
    throw new Error('contains a / or ? in the user name or password; write them as %2F and %3F')
  const [hostList = '', userInfo] = authority.split('@').reverse()
  const [user = '', ...password] = userInfo?.split(':') ?? []
  const given = new Map([...new URLSearchParams(query)].map(([name, value]) => [name, value]))
  const hosts = hostsOf(hostList, given)
  if (path === '' || path.includes('/'))
    throw new Error(`must name one database after the host, as in ${example}; write a / in its name as %2F`)
  refuseUnknown(given)
  const ssl = sslOf(given)
  return {
    hosts,
    connection: {
      database: decoded(path),
      ...(user !== '' && { user: decoded(user) }),
      ...(password.length > 0 && { password: decoded(password.join(':')) }),
      ...(ssl !== undefined && { ssl }),
    },
  }
}

/** `db.example.net:5432`, for a person. */
export function hostText({ host, port }: DatabaseHost): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`
}

/** Refuses characters that must be escaped wherever they do not separate parts. */
function refuseUnwritten(rest: string): void {
  if (/[\s\p{Cc}]/u.test(rest)) throw new Error('contains a space or a control character; write a space as %20')
  if (rest.includes('#')) throw new Error('contains a #; write it as %23')
  if (rest.split('@').length > 2)
    throw new Error('contains more than one @; write it as %40 in the user name and password')
  if (/%(?![0-9a-f]{2})/i.test(rest)) throw new Error('contains a % without two hexadecimal digits; write it as %25')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('contains bytes after % that are not UTF-8')
  }
}

/** The hosts before the database, or those of the parameters `host` and `port`. */
function hostsOf(list: string, given: ReadonlyMap<string, string>): DatabaseHost[] {
  const [names, ports] = [given.get('host'), given.get('port')]
  if (names !== undefined && list !== '')
    throw new Error('names hosts both before the database and in the parameter host')
  if (ports !== undefined && names === undefined) throw new Error('has the parameter port without the parameter host')
  if (names === undefined) return list.split(',').map(parseHost)
  const each = ports?.split(',') ?? [defaultPort]
  const hosts = names.split(',')
  if (each.length !== 1 && each.length !== hosts.length)
    throw new Error('has another number of ports than of hosts in its parameters')
  return hosts.map((host, i) => hostOf(host, each[i] ?? each[0] ?? ''))
}

/** `db.example.net`, `192.0.2.1:5432`, `[2001:db8::1]:5432` or `%2Frun%2Fpostgresql`. */
function parseHost(text: string): DatabaseHost {
  const [, v6, name, port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/.exec(text) ?? []
  if (v6 !== undefined && !isIPv6(v6)) throw new Error('has a host in brackets that is not an IPv6 address')
  const host = v6 ?? name
  if (host === undefined) throw new Error('has a host that is not host:port; write an IPv6 address in brackets')
  return hostOf(decoded(host), port ?? defaultPort)
}

function hostOf(host: string, port: string): DatabaseHost {
  if (host === '') throw new Error(`has no host, or an empty one in its list; write one as in ${example}`)
  if (!/^(\/.*|[\w.-]+)$/.test(host) && !isIPv6(host))
    throw new Error('has a host that is not a name, an address or a folder')
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw new Error(`has a port that is not a number from 1 to 65535; write the URL as in ${example}`)
  return { host, port: Number(port) }
}

function refuseUnknown(given: ReadonlyMap<string, string>): void {
  const unknown = [...given.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined) {
    const named = /^\w{1,40}$/.test(unknown) ? `the parameter ${unknown}` : 'a parameter'
    throw new Error(`has ${named} that is not supported; remove it (supported: ${parameters.join(', ')})`)
  }
  const session = given.get('target_session_attrs') ?? 'read-write'
  if (session !== 'read-write' && session !== 'primary')
    throw new Error('has a target_session_attrs that is not read-write; the service needs the host that accepts writes')
}

/** TLS; undefined: as PGSSLMODE says, or none. */
function sslOf(given: ReadonlyMap<string, string>): DatabaseUrl['connection']['ssl'] {
  const mode = given.get('sslmode')
  if (mode !== undefined && !sslModes.includes(mode))
    throw new Error(`has an sslmode that is not one of ${sslModes.join(', ')}`)
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => fileOf(name, given.get(name)))
  if ((cert === undefined) !== (key === undefined))
    throw new Error('has only one of sslcert and sslkey; set both or none')
  if (mode === 'disable') return false
  if (mode === undefined && ca === undefined && cert === undefined) return undefined
  const files = { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert, key }) }
  try {
    createSecureContext(files)
    // `createSecureContext` ignores authorities that it cannot read.
    if (ca !== undefined) new X509Certificate(ca)
  } catch (error) {
    throw new Error(`has files of certificates or keys that cannot be used: ${(error as Error).message}`)
  }
  return { ...files, rejectUnauthorized: mode !== 'no-verify' }
}

function fileOf(name: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    const text = readFileSync(path, 'utf8')
    if (!/^-----BEGIN [A-Z ]+-----/m.test(text)) throw new Error('it holds nothing in PEM')
    return text
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(`has an ${name} that cannot be used: ${path}: ${code ?? message}`)
  }
}
