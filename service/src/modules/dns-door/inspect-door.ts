import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import {
  buildMessage,
  FrameReader,
  frame,
  type Message,
  parseName,
  Rcode,
  soaQuery,
  TsigSession,
  tryParseMessage,
} from '@zonewright/dns'
import { readSigners, tsigNameOf } from '#modules/api-keys/index.ts'
import { type Endpoint, hmac, unixSeconds } from '#modules/primary/index.ts'
import type { Db } from '#platform/postgres/index.ts'
import { type TsigSecrets, tsigKeyOf } from './signatures.ts'

/** What can be seen of a DNS door from outside. */
export interface DoorFacts {
  /** API keys with a TSIG secret. */
  readonly signers: number
  readonly byUdp: boolean
  readonly byTcp: boolean
  /** It responds, and cannot use the database. */
  readonly isCutOff: boolean
  /** How it checks the signature of a key; undefined: there is no key whose secret we can open, or the door does not respond. */
  readonly signature: 'right' | 'cannot_check' | 'other_secret' | 'key_unknown' | undefined
}

/** A name that no one hosts. Whether it is hosted is looked up in the database. */
const noName = parseName('zonewright-doctor.invalid.')

/** Old enough for BADTIME. A server checks the time only after the signature (RFC 8945 §5.2). */
const tooOldS = 3_600

/**
 * Sends queries to the DNS door at an address. One of them is signed with the secret of a customer's key, long ago: the door checks the
 * signature, and does nothing with the key.
 */
export async function inspectDoor(
  { db, secrets }: { readonly db: Db; readonly secrets: TsigSecrets },
  at: Endpoint,
): Promise<DoorFacts> {
  const unsigned = () => buildMessage(soaQuery(nextId(), noName))
  const [byUdp, byTcp, { count, newest }] = await Promise.all([
    // Sent once more, because a packet may be lost.
    overUdp(at, unsigned()).then((answer) => answer ?? overUdp(at, unsigned())),
    overTcp(at, unsigned()),
    readSigners(db),
  ])
  const isCutOff = (byUdp ?? byTcp)?.rcode === Rcode.SERVFAIL
  const facts = { signers: count, byUdp: byUdp !== undefined, byTcp: byTcp !== undefined, isCutOff }
  const secret = newest && secretOf(newest, secrets)
  if (secret === undefined || newest === undefined || isCutOff || !(facts.byUdp || facts.byTcp))
    return { ...facts, signature: undefined }
  const session = new TsigSession(tsigKeyOf(tsigNameOf(newest.keyId), secret), hmac)
  const query = session.sign(buildMessage(soaQuery(nextId(), noName)), unixSeconds() - tooOldS)
  const answer = await (facts.byTcp ? overTcp : overUdp)(at, query)
  return { ...facts, signature: signatureIn(answer) }
}

/** Undefined: it was sealed with a SECRET_KEY other than that of this environment, which is a separate finding. */
function secretOf({ keyId, sealed }: { keyId: string; sealed: Buffer }, secrets: TsigSecrets): string | undefined {
  try {
    return secrets.open('api_key_tsig.secret', keyId, sealed)
  } catch {
    return undefined
  }
}

function signatureIn(answer: Message | undefined): DoorFacts['signature'] {
  if (answer === undefined) return undefined
  if (answer.tsig?.error === Rcode.BADTIME) return 'right'
  if (answer.tsig?.error === Rcode.BADSIG) return 'other_secret'
  return answer.tsig?.error === Rcode.BADKEY ? 'key_unknown' : 'cannot_check'
}

let lastId = 0
const nextId = (): number => ++lastId & 0xffff

const timeoutMs = 3_000

function overUdp({ host, port }: Endpoint, query: Uint8Array): Promise<Message | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    const end = (answer: Message | undefined): void => {
      clearTimeout(timer)
      socket.removeAllListeners().on('error', () => undefined)
      socket.close()
      resolve(answer)
    }
    const timer = setTimeout(end, timeoutMs, undefined)
    socket.on('error', () => end(undefined))
    socket.on('connect', () => socket.send(query))
    socket.on('message', (wire) => end(tryParseMessage(wire)))
    socket.connect(port, host)
  })
}

function overTcp({ host, port }: Endpoint, query: Uint8Array): Promise<Message | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs })
    const reader = new FrameReader()
    const end = (answer: Message | undefined): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('error', () => end(undefined)).on('close', () => end(undefined))
    socket.on('timeout', () => end(undefined))
    socket.on('connect', () => socket.write(frame(query)))
    socket.on('data', (chunk: Buffer) => {
      for (const wire of reader.feed(chunk)) end(tryParseMessage(wire))
    })
  })
}
