import { type Edns, type EdnsOption, OptionCode, optionOf } from './edns.ts'
import { DnsFault } from './faults.ts'
import { sameBytes } from './same-bytes.ts'
import { WireReader } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

/** The cookies by which client and server recognize each other, so that neither responds to a forged address (RFC 7873 §4). */
export interface Cookie {
  /** Always 8 bytes. */
  readonly client: Uint8Array
  /** 8 to 32 bytes; empty in a client's first query. */
  readonly server: Uint8Array
}

const clientBytes = 8
const leastServerBytes = 8
const mostServerBytes = 32

/** The option that carries a cookie. */
export function cookieOption({ client, server }: Cookie): EdnsOption {
  const data = new Uint8Array(client.length + server.length)
  data.set(client)
  data.set(server, client.length)
  return { code: OptionCode.COOKIE, data }
}

/**
 * The cookie of a message; `undefined` if it has none.
 *
 * @throws DnsFault `bad_message` if the length is not valid for a cookie. The response is then FORMERR (RFC 7873 §5.2.2)
 */
export function cookieOf(edns: Edns | undefined): Cookie | undefined {
  const data = optionOf(edns, OptionCode.COOKIE)
  if (data === undefined) return undefined
  const [client, server] = [data.subarray(0, clientBytes), data.subarray(clientBytes)]
  const isServerLength = server.length >= leastServerBytes && server.length <= mostServerBytes
  if (client.length < clientBytes || (server.length > 0 && !isServerLength)) {
    throw new DnsFault('bad_message', `A cookie does not have ${data.length} bytes.`)
  }
  return { client, server }
}

/**
 * The keyed hash of 8 bytes, which the caller passes in. It is SipHash-2-4, so that different server programs behind one address accept each other's
 * cookies (RFC 9018 §4.4). A secret has 16 bytes.
 */
export type KeyedHash = (secret: Uint8Array, data: Uint8Array) => Uint8Array

/** The client that a server cookie is for, and its time. */
export interface CookieHolder {
  readonly client: Uint8Array
  /** The client's address, 4 or 16 bytes. */
  readonly address: Uint8Array
  readonly unixSeconds: number
}

const version = 1
/** Version, three reserved bytes and the time, before the hash (RFC 9018 §4). */
const headBytes = 8
const serverBytes = 16

/** A server cookie: version, time, and a hash that can be computed only with the secret (RFC 9018 §4). */
export function makeServerCookie(holder: CookieHolder, secret: Uint8Array, keyedHash: KeyedHash): Uint8Array {
  const out = new WireWriter(serverBytes)
  out.u32(version * 0x1000000)
  out.u32(Math.floor(holder.unixSeconds) % 0x100000000)
  out.bytes(hashOf(holder, out.toBytes(), secret, keyedHash))
  return out.toBytes()
}

/** How old a cookie may be, how far in the future it may be, and at what age it is replaced, in seconds (RFC 9018 §4.3). */
const maxAgeSeconds = 3600
const maxAheadSeconds = 300
const renewAfterSeconds = 1800

/**
 * Whether a server cookie is one of ours for this client: `good`, `renew` for one that is valid but old or was made with an older secret, or `bad`
 * (RFC 9018 §4.3 and §5). `secrets` begins with the current one.
 */
export function checkServerCookie(
  server: Uint8Array,
  holder: CookieHolder,
  secrets: readonly Uint8Array[],
  keyedHash: KeyedHash,
): 'good' | 'renew' | 'bad' {
  if (server.length !== serverBytes || server[0] !== version) return 'bad'
  const ageSeconds = (Math.floor(holder.unixSeconds) - new WireReader(server, 4).u32()) | 0
  if (ageSeconds > maxAgeSeconds || ageSeconds < -maxAheadSeconds) return 'bad'
  const [head, hash] = [server.subarray(0, headBytes), server.subarray(headBytes)]
  const maker = secrets.findIndex((secret) => sameBytes(hashOf(holder, head, secret, keyedHash), hash))
  if (maker === -1) return 'bad'
  return maker === 0 && ageSeconds <= renewAfterSeconds ? 'good' : 'renew'
}

function hashOf(holder: CookieHolder, head: Uint8Array, secret: Uint8Array, keyedHash: KeyedHash): Uint8Array {
  const covered = new WireWriter(32)
  covered.bytes(holder.client)
  covered.bytes(head)
  covered.bytes(holder.address)
  return keyedHash(secret, covered.toBytes())
}
