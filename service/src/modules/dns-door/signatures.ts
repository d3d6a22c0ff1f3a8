import { type Message, parseName, Rcode, TsigFault, type TsigKey, TsigSession, tsigAlgorithms } from '@zonewright/dns'
import { findSigners, keyIdOfTsig, type SignedBy, type Signer } from '#modules/api-keys/index.ts'
import { hmac, unixSeconds } from '#modules/primary/index.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Gather } from '#platform/work/gather.ts'

/** Opens TSIG secrets. */
export interface TsigSecrets {
  open(column: 'api_key_tsig.secret', keyId: string, sealed: Buffer): string
}

/** A message whose signature was checked. */
export interface SignedMessage {
  readonly keyId: string
  readonly key: TsigKey
  /** Signs the answers. */
  readonly session: TsigSession
  readonly signer: Signer
  /** Of the message, in hexadecimal. */
  readonly mac: string
}

/** A signature that is refused. With a key, the refusal may be signed (RFC 8945 §5.2). */
export interface RefusedSignature {
  readonly fault: TsigFault
  readonly key?: TsigKey
}

/**
 * How lookups are batched. The gap keeps messages together on their way through the database: under load, an update takes a tenth less
 * processor time (bench `doors`).
 */
const gathering = { maxItems: 100, slots: 2, besides: 16, gapMs: 3 }

/** Keys for which the log says only once that they use an algorithm that is not accepted. */
const maxTold = 1_000

/**
 * Checks the signatures of messages, each with the current secret of its key: a key that ends, and a secret that is replaced, are refused from
 * the next message on, in every process.
 */
export class Signatures {
  readonly #lookups: Gather<SignedBy, Signer | undefined>
  readonly #secrets: TsigSecrets
  readonly #log: Logger
  readonly #told = new Set<string>()

  constructor({ db }: Database, secrets: TsigSecrets, log: Logger) {
    this.#lookups = new Gather(gathering, (asked) => findSigners(db, asked))
    this.#secrets = secrets
    this.#log = log
  }

  /** @throws the error of the database */
  async check(wire: Uint8Array, tsig: NonNullable<Message['tsig']>): Promise<SignedMessage | RefusedSignature> {
    const name = tsig.keyName.slice(0, -1)
    const keyId = keyIdOfTsig(name)
    const signer = isKeyName(name) ? await this.#lookups.ask({ keyId, mac: tsig.mac }) : undefined
    if (signer === undefined) return { fault: new TsigFault(Rcode.BADKEY, `The key ${name} does not exist or ended.`) }
    const algorithm = algorithmOf(tsig.algorithm)
    if (algorithm === undefined) {
      this.#tell(keyId, tsig.algorithm)
      return { fault: new TsigFault(Rcode.BADKEY, `The algorithm ${tsig.algorithm} is not accepted.`) }
    }
    const key = tsigKeyOf(name, this.#secrets.open('api_key_tsig.secret', keyId, signer.sealed), algorithm)
    const session = new TsigSession(key, hmac)
    const fault = session.faultOf(wire, unixSeconds())
    if (fault !== undefined) return { fault, key }
    return { keyId, key, session, signer, mac: Buffer.from(tsig.mac).toString('hex') }
  }

  #tell(keyId: string, algorithm: string): void {
    if (this.#told.has(keyId) || this.#told.size >= maxTold) return
    this.#told.add(keyId)
    this.#log.warn(
      { key: keyId, algorithm },
      'a client signs with an algorithm that is not accepted: it must use hmac-sha256, hmac-sha384 or hmac-sha512',
    )
  }
}

/** The TSIG key of a name without a final dot, with its secret in base64. */
export function tsigKeyOf(name: string, secret: string, algorithm: TsigKey['algorithm'] = 'hmac-sha256'): TsigKey {
  return { name: parseName(`${name}.`), algorithm, secret: new Uint8Array(Buffer.from(secret, 'base64')) }
}

/** Whether a name may be that of an API key: others are not looked up. */
function isKeyName(name: string): boolean {
  return /^key-[0-9a-f]{8,64}$/.test(name)
}

function algorithmOf(name: string): TsigKey['algorithm'] | undefined {
  const names = Object.keys(tsigAlgorithms) as TsigKey['algorithm'][]
  return names.find((algorithm) => tsigAlgorithms[algorithm].name === name)
}
