import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { testOrigin } from './test-api.ts'
import type { TestPerson } from './test-person.ts'

/** How a test's authenticator differs from a correct one. */
interface Flaws {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly crossOrigin?: boolean
  /** The flags of the authenticator data. */
  readonly flags?: number
  readonly counter?: number
  readonly challenge?: string
}

const present = 0x01
const verified = 0x04
const attested = 0x40

/** An authenticator with one key on the curve P-256, as defined by Web Authentication. */
export class TestPasskey {
  readonly id = randomBytes(32)
  readonly #key: KeyObject
  readonly #publicKey: KeyObject
  counter = 0

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    this.#publicKey = publicKey
  }

  /** Adds it to the account of a signed-in person. */
  static async added(person: TestPerson, code = person.backupCodes.pop()): Promise<TestPasskey> {
    const passkey = new TestPasskey()
    const begun = await person.call('POST', '/account/passkeys/options', { body: { password: person.password, code } })
    assert.equal(begun.status, 200, JSON.stringify(begun.body))
    const body = passkey.registration(begun.body.challenge)
    const added = await person.call('POST', '/account/passkeys', { body })
    assert.equal(added.status, 201, JSON.stringify(added.body))
    return passkey
  }

  /** The body of `createPasskey`. */
  registration(challenge: string, flaws: Flaws = {}) {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    const point = (label: number, value: string) => [Buffer.from([label, 0x58, 32]), Buffer.from(value, 'base64url')]
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const cose = Buffer.concat([Buffer.from('a5010203262001', 'hex'), ...point(0x21, x), ...point(0x22, y)])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const data = this.#data({ flags: present | verified | attested, ...flaws })
    return {
      id: this.id.toString('base64url'),
      client_data: this.#clientData(challenge, { type: 'webauthn.create', ...flaws }).toString('base64url'),
      authenticator_data: Buffer.concat([data, Buffer.alloc(16), length, this.id, cose]).toString('base64url'),
      name: 'Test authenticator',
      transports: ['internal'],
    }
  }

  /** The body of `/sign-in/passkey`. */
  assertion(challenge: string, flaws: Flaws = {}) {
    const data = this.#data({ flags: present | verified, ...flaws })
    const clientData = this.#clientData(challenge, { type: 'webauthn.get', ...flaws })
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
    return {
      id: this.id.toString('base64url'),
      client_data: clientData.toString('base64url'),
      authenticator_data: data.toString('base64url'),
      signature: sign('sha256', signed, this.#key).toString('base64url'),
    }
  }

  #data({ rpId = new URL(testOrigin).hostname, flags = 0, counter = this.counter }: Flaws): Buffer {
    const rest = Buffer.alloc(5)
    rest.writeUInt8(flags)
    rest.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
  }

  #clientData(challenge: string, { type, origin = testOrigin, crossOrigin = false, ...flaws }: Flaws): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: flaws.challenge ?? challenge, origin, crossOrigin }))
  }
}
