import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { workLeaseS } from '#ports/registry.ts'

/** The connection settings of a registry, and the limits of its use. */
export interface EppSettings {
  /** The name of the registry in the configuration. */
  readonly id: string
  readonly tlds: readonly string[]
  readonly host: string
  readonly port: number
  /** The name that its certificate must have. */
  readonly serverName: string
  /** PEM: the only accepted authority of its certificate, and our own certificate with its key. */
  readonly ca: string
  readonly cert: string
  readonly key: string
  readonly registrarId: string
  readonly password: string
  /** Maximum number of connections, because registries limit them. */
  readonly sessions: number
  /** Whether nameservers are host objects there, or attributes of domains (RFC 5731 §1.1). */
  readonly nameservers: 'objects' | 'attributes'
  /** Maximum number of names in one check, because registries refuse long ones. */
  readonly namesInCheck: number
  readonly connectTimeoutMs: number
  /** After this time the outcome of a command is unknown. */
  readonly commandTimeoutMs: number
  /** How long a command waits for a free session. */
  readonly queueTimeoutMs: number
  /** How often an idle session says hello: registries close idle sessions, usually after ten minutes. */
  readonly helloEveryMs: number
  /** The pause after a failed login. It doubles each time, up to 32 times as long. */
  readonly loginRetryMs: number
  /** The polling interval while there are no messages. */
  readonly pollEveryMs: number
}

/** A command ends before its worker's lease, including the time for queue, connection and response. */
const longestCommandS = workLeaseS - 10

/** How long each part of a command may take. */
export type CommandTimes = Pick<EppSettings, 'queueTimeoutMs' | 'connectTimeoutMs' | 'commandTimeoutMs'>

/** How long after its recording a command may still be sent, so that it ends before its worker's lease. */
export function latestSendMs({ queueTimeoutMs, connectTimeoutMs, commandTimeoutMs }: CommandTimes): number {
  return longestCommandS * 1000 - queueTimeoutMs - connectTimeoutMs - commandTimeoutMs
}

const seconds = (usual: number) => z.number().positive().max(3600).default(usual)

const shape = z.strictObject({
  host: z.string().min(1),
  port: z.int().min(1).max(65_535).default(700),
  server_name: z.string().optional(),
  ca_file: z.string(),
  cert_file: z.string(),
  key_file: z.string(),
  registrar_id: z.string().min(3).max(16),
  password_file: z.string(),
  sessions: z.int().min(1).max(100).default(4),
  nameservers: z.enum(['objects', 'attributes']).default('objects'),
  names_in_check: z.int().min(1).max(1000).default(20),
  connect_timeout_s: seconds(10),
  command_timeout_s: seconds(30),
  queue_timeout_s: seconds(10),
  hello_every_s: seconds(240),
  login_retry_s: seconds(2),
  poll_every_s: seconds(30),
})

/** Reads the `epp` part of a registry in the REGISTRIES file, and the files that it names. Throws a one-line description of any error. */
export function readEppSettings(id: string, tlds: readonly string[], epp: unknown): EppSettings {
  const parsed = shape.safeParse(epp)
  if (!parsed.success) {
    const [first] = parsed.error.issues
    throw new Error(`registries.${id}.epp.${first?.path.join('.') ?? ''}: ${first?.message}`)
  }
  const { data } = parsed
  const times: CommandTimes = {
    queueTimeoutMs: data.queue_timeout_s * 1000,
    connectTimeoutMs: data.connect_timeout_s * 1000,
    commandTimeoutMs: data.command_timeout_s * 1000,
  }
  if (latestSendMs(times) <= 0)
    throw new Error(
      `registries.${id}.epp.command_timeout_s: with queue_timeout_s and connect_timeout_s it must be less than ${longestCommandS} s`,
    )
  const password = contentOf(id, 'password_file', data.password_file).trim()
  if (password.length < 6 || password.length > 16)
    throw new Error(`registries.${id}.epp.password_file: an EPP password has 6 to 16 characters (RFC 5730)`)
  return {
    id,
    tlds,
    host: data.host,
    port: data.port,
    serverName: data.server_name ?? data.host,
    ca: contentOf(id, 'ca_file', data.ca_file),
    cert: contentOf(id, 'cert_file', data.cert_file),
    key: contentOf(id, 'key_file', data.key_file),
    registrarId: data.registrar_id,
    password,
    sessions: data.sessions,
    nameservers: data.nameservers,
    namesInCheck: data.names_in_check,
    ...times,
    helloEveryMs: data.hello_every_s * 1000,
    loginRetryMs: data.login_retry_s * 1000,
    pollEveryMs: data.poll_every_s * 1000,
  }
}

function contentOf(id: string, member: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`registries.${id}.epp.${member}: ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** The server name for TLS; undefined for an address. */
export function sniOf({ serverName }: Pick<EppSettings, 'serverName'>): string {
  return isIP(serverName) === 0 ? serverName : ''
}
