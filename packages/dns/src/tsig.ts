import { DnsFault } from './faults.ts'
import { Rcode } from './message.ts'
import type { DomainName } from './name.ts'
import { sameBytes } from './same-bytes.ts'
import { type SplitMessage, splitTsig } from './split-tsig.ts'
import { appendTsig, type TsigRecord, writeTsigTimers, writeTsigVariables } from './tsig-record.ts'
import { WireReader } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

/** The supported algorithms, with the length of their MAC in bytes (RFC 8945 §6). */
export const tsigAlgorithms = {
  'hmac-sha256': { name: 'hmac-sha256.' as DomainName, macBytes: 32 },
  'hmac-sha384': { name: 'hmac-sha384.' as DomainName, macBytes: 48 },
  'hmac-sha512': { name: 'hmac-sha512.' as DomainName, macBytes: 64 },
} as const

export type TsigAlgorithm = keyof typeof tsigAlgorithms

/** The keyed hash, which the caller passes in, because this package contains no cryptography. */
export type Hmac = (algorithm: TsigAlgorithm, key: Uint8Array, data: Uint8Array) => Uint8Array

/** A named secret that two sides share. */
export interface TsigKey {
  readonly name: DomainName
  readonly algorithm: TsigAlgorithm
  readonly secret: Uint8Array
}

/** How far two clocks may be apart, in seconds (RFC 8945 §10 recommends 300). A message that allows more is still limited to this. */
export const tsigFudgeSeconds = 300

/** The maximum number of unsigned messages between two signed ones (RFC 8945 §5.3.1). */
const maxUnsignedMessages = 99

/** A signature that is missing or wrong. `rcode` is FORMERR, or the TSIG error BADSIG, BADKEY, BADTIME or BADTRUNC. */
export class TsigFault extends DnsFault {
  readonly rcode: number
  /** The other side's time, in seconds since 1970. Present only if a signed answer rejects our time (BADTIME, §5.2.3). */
  readonly peerUnixSeconds: number | undefined

  constructor(rcode: number, message: string, peerUnixSeconds?: number) {
    super('bad_tsig', message)
    this.name = 'TsigFault'
    this.rcode = rcode
    this.peerUnixSeconds = peerUnixSeconds
  }
}

/**
 * One signed transaction: a request and its response of one or more messages (RFC 8945 §5).
 *
 * A client signs the request, then verifies each message of the response. A server verifies the request, then signs each message. The first MAC of
 * the response covers the MAC of the request and all variables. Later ones cover only the previous MAC and the time (§5.3.1).
 */
export class TsigSession {
  readonly #key: TsigKey
  readonly #hmac: Hmac
  /** MAC of the last signed message; none before the request. */
  #priorMac: Uint8Array | undefined
  #answersSigned = 0
  /** Messages since the last signed one, which the next MAC also covers. */
  #unsigned: Uint8Array[] = []

  constructor(key: TsigKey, hmac: Hmac) {
    this.#key = key
    this.#hmac = hmac
  }

  /** Whether the last message was signed. A response of several messages must not be trusted before this. */
  get isSettled(): boolean {
    return this.#priorMac !== undefined && this.#unsigned.length === 0
  }

  /** Appends a TSIG to the message, which must not have one yet. */
  sign(wire: Uint8Array, unixSeconds: number): Uint8Array {
    const timeSigned = Math.floor(unixSeconds)
    const unsignedTsig = tsigRecord(this.#key, { timeSigned, originalId: idOf(wire) })
    const mac = this.#hmac(this.#key.algorithm, this.#key.secret, this.#covered(wire, unsignedTsig))
    this.#advance(mac)
    return appendTsig(wire, { ...unsignedTsig, mac })
  }

  /**
   * Verifies the signature of a received message: key, MAC, then time (RFC 8945 §5.2). Unsigned messages are accepted only after a signed one, at
   * most 99 in a row, and are trusted only once a signed one follows: see `isSettled`.
   *
   * @throws TsigFault; a DnsFault `bad_message` if the message cannot be read
   */
  verify(wire: Uint8Array, unixSeconds: number): void {
    const split = splitTsig(wire)
    if (split === undefined) {
      if (this.#answersSigned === 0) throw new TsigFault(Rcode.FORMERR, 'The message is not signed.')
      if (this.#unsigned.length >= maxUnsignedMessages) {
        throw new TsigFault(Rcode.FORMERR, 'More than 99 messages in a row are not signed.')
      }
      this.#unsigned.push(new Uint8Array(wire))
      return
    }
    const { tsig } = split
    this.#checkKey(tsig)
    this.#checkMac(split)
    const apartSeconds = Math.abs(Math.floor(unixSeconds) - tsig.timeSigned)
    const isRequest = this.#priorMac === undefined
    this.#advance(tsig.mac)
    if (!isRequest && tsig.error !== 0) throw refusedByPeer(tsig)
    if (apartSeconds > Math.min(tsig.fudge, tsigFudgeSeconds)) {
      throw new TsigFault(Rcode.BADTIME, `The message was signed ${apartSeconds} s away from our time.`)
    }
  }

  /** The error that `verify` would throw; undefined if the signature is valid. @throws DnsFault if the message cannot be read */
  faultOf(wire: Uint8Array, unixSeconds: number): TsigFault | undefined {
    try {
      this.verify(wire, unixSeconds)
      return undefined
    } catch (error) {
      if (error instanceof TsigFault) return error
      throw error
    }
  }

  #checkKey(tsig: TsigRecord): void {
    const { name, macBytes } = tsigAlgorithms[this.#key.algorithm]
    const isOurs = tsig.keyName === this.#key.name && tsig.algorithm === name
    if (!isOurs) throw new TsigFault(Rcode.BADKEY, `The key ${tsig.keyName} with ${tsig.algorithm} is not known.`)
    // A peer that could not check our signature says so without a MAC of its own (RFC 8945 §5.3.2).
    if (tsig.mac.length === 0 && tsig.error !== 0 && this.#priorMac !== undefined) throw refusedByPeer(tsig)
    if (tsig.mac.length > macBytes || tsig.mac.length < macBytes / 2) {
      throw new TsigFault(Rcode.FORMERR, `A MAC of ${tsig.mac.length} bytes is not possible.`)
    }
  }

  #checkMac({ unsigned, tsig }: SplitMessage): void {
    const mac = this.#hmac(this.#key.algorithm, this.#key.secret, this.#covered(unsigned, tsig))
    if (!sameBytes(mac.subarray(0, tsig.mac.length), tsig.mac)) {
      throw new TsigFault(Rcode.BADSIG, 'The signature is wrong.')
    }
    if (tsig.mac.length < mac.length) throw new TsigFault(Rcode.BADTRUNC, 'The MAC is truncated.')
  }

  /** The bytes that the MAC of this message covers (RFC 8945 §4.3). */
  #covered(unsignedWire: Uint8Array, tsig: TsigRecord): Uint8Array {
    const out = scratch.clear()
    if (this.#priorMac !== undefined) {
      out.u16(this.#priorMac.length)
      out.bytes(this.#priorMac)
    }
    for (const wire of this.#unsigned) out.bytes(wire)
    out.bytes(unsignedWire)
    if (this.#answersSigned === 0) writeTsigVariables(tsig, out)
    else writeTsigTimers(tsig, out)
    return out.toBytes()
  }

  #advance(mac: Uint8Array): void {
    if (this.#priorMac !== undefined) this.#answersSigned++
    this.#priorMac = mac
    this.#unsigned = []
  }
}

/** A signed request that its receiver has verified. `session` signs the response. If there is a `fault`, the request must be refused. */
export interface CheckedRequest {
  readonly key: TsigKey
  readonly session: TsigSession
  readonly fault: TsigFault | undefined
}

/**
 * Tries the keys in order, until one has signed the request or the fault is not about the key. If all fail, the result is that of the last
 * key. Two keys are accepted while one replaces the other, and they may have the same name.
 *
 * @throws DnsFault `bad_message` when the request cannot be read
 */
export function checkRequest(
  keys: readonly [TsigKey, ...TsigKey[]],
  hmac: Hmac,
  wire: Uint8Array,
  unixSeconds: number,
): CheckedRequest {
  const [key, next, ...rest] = keys
  const session = new TsigSession(key, hmac)
  const fault = session.faultOf(wire, unixSeconds)
  const isOtherKey = fault?.rcode === Rcode.BADKEY || fault?.rcode === Rcode.BADSIG
  return isOtherKey && next !== undefined
    ? checkRequest([next, ...rest], hmac, wire, unixSeconds)
    : { key, session, fault }
}

/** The content that a MAC covers. Reused for every message. */
const scratch = new WireWriter(1024)

function refusedByPeer({ error, mac, otherData }: TsigRecord): TsigFault {
  const hasTime = error === Rcode.BADTIME && mac.length > 0 && otherData.length === 6
  const peerUnixSeconds = hasTime ? new WireReader(otherData).u48() : undefined
  return new TsigFault(error, `The other side refuses our signature with TSIG error ${error}.`, peerUnixSeconds)
}

function tsigRecord(key: TsigKey, fields: { timeSigned: number; originalId: number }): TsigRecord {
  return {
    keyName: key.name,
    algorithm: tsigAlgorithms[key.algorithm].name,
    fudge: tsigFudgeSeconds,
    mac: new Uint8Array(0),
    error: 0,
    otherData: new Uint8Array(0),
    ...fields,
  }
}

function idOf(wire: Uint8Array): number {
  return ((wire[0] ?? 0) << 8) | (wire[1] ?? 0)
}
