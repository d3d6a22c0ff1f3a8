import type { TcpNetConnectOpts } from 'node:net'
import {
  type ConnectionOptions,
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { Deadline } from '#platform/deadline.ts'
import type { FailureWord } from '#ports/webhook-http.ts'
import { isPublicAddress, notPublic, type Target } from './guard.ts'
import type { Address, Resolve } from './resolve.ts'

/** A connection that did not come about, and the word for it. */
export class ConnectFailure extends Error {
  readonly word: FailureWord

  constructor(word: FailureWord, message: string, cause?: unknown) {
    super(message, { cause })
    this.word = word
  }
}

/** TLS sessions kept for quicker handshakes, about 2 KB each; the least recently renewed go first. */
const maxSessions = 2_000

/**
 * Makes TLS connections to checked addresses only.
 *
 * A name is resolved here, every one of its addresses is checked, and exactly those are dialled: the socket is handed them as
 * its look-up, so that a second answer of the DNS never counts (rebinding).
 */
export class Connector {
  readonly #resolve: Resolve
  readonly #trusted: ReadonlySet<string>
  readonly #secureContext: SecureContext
  readonly #sessions = new Map<string, Buffer>()

  /**
   * @param options.trusted `address:port` of receivers that may be private, whatever name led there
   * @param options.ca PEM certificates of authorities to trust beside those that Node trusts
   */
  constructor({ resolve, trusted, ca }: { resolve: Resolve; trusted: ReadonlySet<string>; ca: string | undefined }) {
    this.#resolve = resolve
    this.#trusted = trusted
    // Made once: reading all authorities anew for each connection would cost more than its handshake.
    this.#secureContext = createSecureContext(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] })
  }

  /** Rejects with a ConnectFailure. */
  async open(target: Target, timeoutMs: number): Promise<TLSSocket> {
    const addresses = await this.addressesOf(target)
    return await this.#dial(target, addresses, timeoutMs)
  }

  /** Every address of the target, or the reason not to go there. */
  async addressesOf(target: Target): Promise<Address[]> {
    const addresses = await this.#look(target)
    if (addresses.length === 0) throw new ConnectFailure('dns', `${target.host} has no address.`)
    if (!target.trusted && !addresses.every((address) => this.#mayDial(address, target.port)))
      throw new ConnectFailure('refused_address', notPublic)
    return addresses
  }

  #mayDial({ address, family }: Address, port: number): boolean {
    return isPublicAddress(address) || this.#trusted.has(family === 6 ? `[${address}]:${port}` : `${address}:${port}`)
  }

  async #look({ host, literal, trusted }: Target): Promise<Address[]> {
    if (literal) return [{ address: host, family: host.includes(':') ? 6 : 4 }]
    if (trusted && host === 'localhost') return [{ address: '127.0.0.1', family: 4 }]
    try {
      return await this.#resolve(host)
    } catch (error) {
      throw new ConnectFailure('dns', `${host} could not be resolved.`, error)
    }
  }

  #dial(target: Target, addresses: Address[], timeoutMs: number): Promise<TLSSocket> {
    const key = `${target.host}:${target.port}`
    const session = this.#sessions.get(key)
    return new Promise((resolve, reject) => {
      const options: ConnectionOptions & Partial<TcpNetConnectOpts> = {
        secureContext: this.#secureContext,
        host: target.host,
        port: target.port,
        ...(target.literal ? {} : { servername: target.host }),
        ...(session ? { session } : {}),
        ALPNProtocols: ['http/1.1'],
        autoSelectFamily: addresses.length > 1,
        autoSelectFamilyAttemptTimeout: 1_000,
        lookup: (_host, { all }, callback) => {
          const [first] = addresses
          if (all) callback(null, addresses)
          else if (first) callback(null, first.address, first.family)
        },
      }
      const socket = connectTls(options)
      let word: FailureWord = 'connect'
      const fail = (error: Error): void => {
        deadline.met()
        socket.destroy()
        reject(new ConnectFailure(word, error.message, error))
      }
      const deadline = new Deadline(timeoutMs, () => {
        word = 'timeout'
        fail(new Error(`No connection within ${timeoutMs} ms.`))
      })
      socket.setNoDelay(true).setKeepAlive(true, 15_000)
      socket.on('connect', () => {
        word = 'tls'
      })
      socket.on('session', (fresh) => this.#keepSession(key, fresh))
      socket.on('error', fail)
      socket.once('secureConnect', () => {
        deadline.met()
        socket.off('error', fail)
        resolve(socket)
      })
    })
  }

  #keepSession(key: string, session: Buffer): void {
    this.#sessions.delete(key)
    this.#sessions.set(key, session)
    const oldest = this.#sessions.size > maxSessions ? this.#sessions.keys().next().value : undefined
    if (oldest !== undefined) this.#sessions.delete(oldest)
  }
}
