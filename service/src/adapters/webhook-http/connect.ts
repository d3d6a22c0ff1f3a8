import type { TcpNetConnectOpts } from 'node:net'
import {
  type ConnectionOptions,
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { connectSentence, lookUpSentence } from './connect-sentences.ts'
import { SendFailure, shownText } from './failure.ts'
import { isPublicAddress, notPublic, type Target } from './guard.ts'
import type { Address, Resolve } from './resolve.ts'
import type { TimeLimit } from './time-limit.ts'
import { certificateSentence, handshakeSentence } from './tls-sentences.ts'

/** Maximum number of cached TLS sessions, for faster handshakes. Each has about 2 KB. The least recently renewed one is removed first. */
const maxSessions = 2_000

/**
 * Makes TLS connections to checked addresses only.
 *
 * A name is resolved here, each of its addresses is checked, and only those are connected to: the socket gets them as
 * its lookup function, so that a second DNS answer has no effect (rebinding).
 */
export class Connector {
  readonly #resolve: Resolve
  readonly #trusted: ReadonlySet<string>
  readonly #secureContext: SecureContext
  readonly #sessions = new Map<string, Buffer>()

  /**
   * @param options.trusted `address:port` of receivers that may be private, whatever name led there
   * @param options.ca PEM certificates of authorities to trust in addition to those that Node trusts
   */
  constructor({ resolve, trusted, ca }: { resolve: Resolve; trusted: ReadonlySet<string>; ca: string | undefined }) {
    this.#resolve = resolve
    this.#trusted = trusted
    // Created once: loading all authorities for each connection would cost more than its handshake.
    this.#secureContext = createSecureContext(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] })
  }

  /** Rejects with a SendFailure. */
  async open(target: Target, limit: TimeLimit): Promise<TLSSocket> {
    const addresses = await this.#withinLimit(target, limit)
    return await this.#dial(target, addresses, limit)
  }

  /** Every address of the target. Rejects with a SendFailure that says why none may be connected to. */
  async addressesOf(target: Target): Promise<Address[]> {
    const addresses = await this.#look(target)
    if (addresses.length === 0)
      throw new SendFailure('dns', `${shownText(target.host)} has no address: the DNS has no A or AAAA record for it.`)
    if (!target.trusted && !addresses.every((address) => this.#mayDial(address, target.port)))
      throw new SendFailure('refused_address', notPublic)
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
      throw new SendFailure('dns', lookUpSentence(host, error), error)
    }
  }

  #withinLimit(target: Target, limit: TimeLimit): Promise<Address[]> {
    return new Promise((resolve, reject) => {
      limit.onOver = () =>
        reject(
          new SendFailure('timeout', `The DNS lookup of ${shownText(target.host)} did not finish within 10 seconds.`),
        )
      this.addressesOf(target).then(resolve, reject)
    })
  }

  #dial(target: Target, addresses: Address[], limit: TimeLimit): Promise<TLSSocket> {
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
        // Checked below, where the certificate can still be read to describe the fault.
        rejectUnauthorized: false,
        autoSelectFamily: addresses.length > 1,
        autoSelectFamilyAttemptTimeout: 1_000,
        lookup: (_host, { all }, callback) => {
          const [first] = addresses
          if (all) callback(null, addresses)
          else if (first) callback(null, first.address, first.family)
        },
      }
      const socket = connectTls(options)
      let isConnected = false
      let isAccepted = false
      let latestSession: Buffer | undefined
      const fail = (failure: SendFailure): void => {
        limit.onOver = undefined
        socket.destroy()
        reject(failure)
      }
      const failWith = (error: Error): void =>
        fail(
          isConnected
            ? new SendFailure('tls', handshakeSentence(target, error), error)
            : new SendFailure('connect', connectSentence(target, error), error),
        )
      limit.onOver = () =>
        fail(
          new SendFailure(
            'timeout',
            isConnected
              ? `The TLS handshake with ${shownText(target.host)} did not finish within 10 seconds.`
              : `${shownText(target.host)} did not accept a connection on port ${target.port} within 10 seconds.`,
          ),
        )
      socket.setNoDelay(true).setKeepAlive(true, 15_000)
      socket.on('connect', () => {
        isConnected = true
      })
      // A session is kept only once its certificate has been accepted: a resumed one is not checked against the name again.
      socket.on('session', (fresh) => {
        latestSession = fresh
        if (isAccepted) this.#keepSession(key, fresh)
      })
      socket.on('error', failWith)
      socket.once('secureConnect', () => {
        if (!socket.authorized) {
          fail(new SendFailure('tls', certificateSentence(socket, target), socket.authorizationError))
          return
        }
        isAccepted = true
        if (latestSession) this.#keepSession(key, latestSession)
        limit.onOver = undefined
        // Until the caller listens for errors, an error only closes the socket.
        socket.on('error', () => undefined).off('error', failWith)
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
