import { type Command, Namespace, type Response } from '@zonewright/epp'
import type { RegistryReply } from '#ports/registry.ts'
import { ConnectionLost, EppConnection } from './connection.ts'
import { replyOf } from './reply.ts'
import type { EppSettings } from './settings.ts'

/** The registry refused the login, with a reason. */
export class LoginRefused extends Error {
  readonly reply: RegistryReply

  constructor(reply: RegistryReply) {
    super(`The registry refuses the login: ${reply.code} ${reply.message}`)
    this.reply = reply
  }
}

const ourObjects: readonly string[] = [Namespace.domain, Namespace.contact, Namespace.host]
const ourExtensions: readonly string[] = [Namespace.secDns, Namespace.rgp, Namespace.fee]

/** A connection that is logged in. One command at a time. */
export class EppSession {
  readonly #connection: EppConnection
  readonly #settings: EppSettings
  /** The namespaces of the extensions that both sides support. */
  readonly extensions: readonly string[]
  /** When it was last used, by `performance.now`. */
  usedAt = performance.now()

  private constructor(connection: EppConnection, settings: EppSettings, extensions: readonly string[]) {
    this.#connection = connection
    this.#settings = settings
    this.extensions = extensions
  }

  /** Connects and logs in. Throws ConnectionLost and LoginRefused. */
  static async open(settings: EppSettings, clTrid: string): Promise<EppSession> {
    const { connection, greeting } = await EppConnection.open(settings)
    try {
      if (greeting.kind !== 'greeting') throw new ConnectionLost('The registry sent no greeting.', false)
      const { objects, extensions = [] } = greeting.greeting.services
      const spoken = ourExtensions.filter((uri) => extensions.includes(uri))
      const session = new EppSession(connection, settings, spoken)
      await session.#logIn(
        ourObjects.filter((uri) => objects.includes(uri)),
        clTrid,
      )
      return session
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  get isOpen(): boolean {
    return this.#connection.isOpen
  }

  /** Sends a command, and returns its response. Throws ConnectionLost; EppFault if the command cannot be sent. */
  async send(command: Command): Promise<Response> {
    const answer = await this.#connection.exchange({ kind: 'command', command }, this.#settings.commandTimeoutMs)
    this.usedAt = performance.now()
    if (answer.kind !== 'response') return await this.#lost(`The registry sent a ${answer.kind} instead of a response.`)
    const { response } = answer
    const { clTrid } = response.transaction
    if (clTrid !== undefined && clTrid !== command.clTrid)
      return await this.#lost('The response is for another command.')
    // After 24xx, the outcome is unknown. Until the connection is closed, the command may still be executed.
    if (response.results[0].code >= 2400) await this.close()
    return response
  }

  /** Keeps the session alive with a hello (RFC 5730 §2.3). Throws ConnectionLost. */
  async hello(): Promise<void> {
    const answer = await this.#connection.exchange({ kind: 'hello' }, this.#settings.commandTimeoutMs)
    this.usedAt = performance.now()
    if (answer.kind !== 'greeting') await this.#lost('The registry sent no greeting.')
  }

  /** Logs out, within a few seconds. */
  async logOut(clTrid: string): Promise<void> {
    const bye = { kind: 'logout', body: null, extensions: {}, clTrid } as const
    await this.#connection.exchange({ kind: 'command', command: bye }, 2_000).catch(() => undefined)
    await this.close()
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }

  async #logIn(objects: readonly string[], clTrid: string): Promise<void> {
    const { registrarId, password } = this.#settings
    const { extensions } = this
    const response = await this.send({
      kind: 'login',
      body: {
        registrarId,
        password,
        options: { version: '1.0', language: 'en' },
        services: { objects, ...(extensions.length > 0 && { extensions }) },
      },
      extensions: {},
      clTrid,
    })
    const { code } = response.results[0]
    if (code === 1000) return
    // The registry allows no further session, or has an internal problem. This is not about our login.
    if (code >= 2400 && code !== 2501) throw new ConnectionLost(`The registry answered the login with ${code}.`, false)
    throw new LoginRefused(replyOf(response))
  }

  async #lost(why: string): Promise<never> {
    await this.#connection.close(why)
    throw new ConnectionLost(why, true)
  }
}
