import { setTimeout as delay } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import {
  type Command,
  EppFault,
  FrameReader,
  frame,
  type Message,
  type Response,
  readMessage,
  writeCommand,
  writeMessage,
} from '@zonewright/epp'
import type { EppBehaviour } from './behaviour.ts'
import { extensionServices, logIn, objectServices } from './login.ts'
import { canWait, takeOn } from './pending.ts'
import { type ObjectCommand, perform } from './perform.ts'
import { type PollReply, poll } from './poll.ts'
import { messageOf, RefusedCommand, type Reply } from './reply.ts'
import type { EppServerContext } from './server-context.ts'

const maxFrameBytes = 262_144
/** After this many refused logins, the connection is closed. */
const mostLogins = 3

/** One connection: greeting, login, commands one after the other (RFC 5730 §2). */
export class EppSession {
  readonly #context: EppServerContext
  readonly #socket: TLSSocket
  readonly #frames = new FrameReader(maxFrameBytes)
  #queue: Promise<void> = Promise.resolve()
  #refusedLogins = 0
  /** The data that is sent before the next response. */
  #before: string[] = []
  registrar: string | undefined

  constructor(context: EppServerContext, socket: TLSSocket) {
    this.#context = context
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#queue = this.#greet('greeting')
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    try {
      for (const document of this.#frames.feed(chunk))
        this.#queue = this.#queue.then(() => this.#answer(document)).catch((error) => this.#fail(error))
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    if (!(error instanceof EppFault)) this.#context.log(`A session ends: ${(error as Error).message}`)
    this.#socket.destroy()
  }

  async #greet(as: string): Promise<void> {
    const behaviour = this.#context.behaviours.take(as, '')
    if (behaviour.delayMs !== undefined) await delay(behaviour.delayMs)
    const date = new Date(this.#context.registry.now())
    const services = { versions: ['1.0'], languages: ['en'], objects: objectServices, extensions: extensionServices }
    this.#send({ kind: 'greeting', greeting: { serverId: 'Sandbox registry', date, services } }, behaviour)
  }

  async #answer(document: Uint8Array): Promise<void> {
    if (this.#socket.destroyed) return
    let message: Message
    try {
      message = readMessage(this.#context.readXml(document))
      // The parser is lenient. Values that the schemas do not allow are refused here.
      if (message.kind === 'command') writeCommand(message.command)
    } catch (error) {
      if (!(error instanceof EppFault)) throw error
      const code = error.code === 'bad_value' ? 2005 : 2001
      return this.#reply({ code, reasons: [error.message] }, undefined, {})
    }
    if (message.kind === 'hello') {
      this.#note('hello', '', undefined, 1000, {})
      return this.#greet('hello')
    }
    if (message.kind !== 'command') return this.#reply({ code: 2000 }, undefined, {})
    await this.#obey(message.command)
  }

  async #obey(command: Command): Promise<void> {
    const subject = subjectOf(command)
    const kind = command.kind === 'domain:transfer' ? `domain:transfer ${command.op}` : command.kind
    const behaviour = this.#context.behaviours.take(kind, subject)
    if (behaviour.delayMs !== undefined) await delay(behaviour.delayMs)
    const svTrid = `SB-${this.#context.registry.store.next()}`
    const reply = behaviour.code === undefined ? this.#done(command, behaviour, svTrid) : refusal(behaviour)
    // Written to disk before the response, because a response is a promise.
    this.#context.registry.store.commit()
    this.#note(kind, subject, command.clTrid, reply.code, behaviour)
    this.#reply(reply, command.clTrid, behaviour, svTrid)
    if (reply.code === 1500 || reply.code >= 2500) this.#socket.end()
  }

  #note(
    command: string,
    subject: string,
    clTrid: string | undefined,
    code: number,
    { answer, skip = false }: EppBehaviour,
  ): void {
    this.#context.note({
      at: new Date().toISOString(),
      registrar: this.registrar ?? null,
      command,
      subject,
      cl_trid: clTrid ?? null,
      code,
      skipped: skip,
      answered: answer ?? null,
    })
  }

  #done(command: Command, behaviour: EppBehaviour, svTrid: string): PollReply {
    const { registry, readXml } = this.#context
    if (command.kind === 'login') return this.#login(command)
    const { registrar } = this
    if (registrar === undefined) return { code: 2002, reasons: ['Log in first'] }
    if (command.kind === 'logout') return { code: 1500 }
    if (behaviour.skip) return { code: 1000 }
    if (command.kind === 'poll') return poll(registry, readXml, registrar, command.body)
    if (behaviour.pending && canWait(command)) return takeOn(registry, registrar, command, svTrid)
    return perform(registry, registrar, command)
  }

  #login(command: Extract<Command, { kind: 'login' }>): Reply {
    if (this.registrar !== undefined) return { code: 2002, reasons: ['You are logged in'] }
    try {
      const certificate = this.#socket.getPeerCertificate()
      const registrar = logIn(this.#context.registry, command.body, commonNameOf(certificate.subject?.CN))
      if (this.#context.sessionsOf(registrar) >= this.#context.maxSessions) return { code: 2502 }
      this.registrar = registrar
      return { code: 1000 }
    } catch (error) {
      if (!(error instanceof RefusedCommand)) throw error
      this.#refusedLogins++
      if (this.#refusedLogins >= mostLogins) return { code: 2501, reasons: [error.message] }
      return { code: error.code, reasons: [error.message] }
    }
  }

  #reply(reply: PollReply, clTrid: string | undefined, behaviour: EppBehaviour, svTrid = 'SB-0'): void {
    const response: Response = {
      results: [{ code: reply.code, message: { text: messageOf[reply.code] ?? '' }, reasons: reply.reasons ?? [] }],
      ...(reply.queue && { queue: reply.queue }),
      data: reply.data ?? {},
      extensions: reply.extensions ?? {},
      transaction: { ...(clTrid !== undefined && { clTrid }), svTrid },
    }
    this.#send({ kind: 'response', response }, behaviour)
  }

  #send(message: Message, { answer }: EppBehaviour): void {
    const document = writeMessage(message)
    const whole = frame(Buffer.from(document))
    switch (answer) {
      case undefined:
        this.#write(document)
        break
      case 'hang':
        break
      case 'drop':
        this.#socket.end()
        break
      case 'cut':
        this.#socket.end(whole.subarray(0, Math.floor(whole.length / 2)))
        break
      case 'doctype':
        this.#write(document.replace('<epp', '<!DOCTYPE epp [<!ENTITY a "b">]>\n<epp'))
        break
      case 'oversize':
        this.#socket.write(Uint8Array.of(0x7f, 0xff, 0xff, 0xff))
        break
      case 'garbage':
        this.#write('What was that?')
        break
      case 'stranger':
        this.#write(document.replace(/<clTRID>[^<]*</, '<clTRID>SOMEBODY-ELSES<'))
        break
      case 'hollow':
        this.#write(document.replace(/(<resData><([\w:]+)[^>]*>).*(<\/\2><\/resData>)/s, '$1$3'))
        break
      case 'twice':
        this.#write(document, document)
        break
      case 'again':
        this.#write(document)
        this.#before = [document]
        break
    }
  }

  #write(...documents: readonly string[]): void {
    const frames = [...this.#before.splice(0), ...documents].map((document) => frame(Buffer.from(document)))
    // Sent in one piece, so that both copies of a repeated response arrive together.
    if (!this.#socket.destroyed) this.#socket.write(Buffer.concat(frames))
  }
}

function refusal({ code = 2400, reason }: EppBehaviour): Reply {
  return { code, ...(reason !== undefined && { reasons: [reason] }) }
}

function commonNameOf(name: string | string[] | undefined): string | undefined {
  return Array.isArray(name) ? name[0] : name
}

/** The subject of a command: a name or an id; for a check, the first one. */
function subjectOf(command: Command): string {
  if (command.kind === 'login') return command.body.registrarId
  if (command.kind === 'logout' || command.kind === 'poll') return ''
  return nameIn(command)
}

function nameIn({ body }: ObjectCommand): string {
  if ('ids' in body) return body.ids[0] ?? ''
  if ('id' in body) return body.id
  return (typeof body.name === 'string' ? body.name : body.name.name).toLowerCase()
}
