import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { DnsFault, type DomainName, parseName, type Serial, toSerial } from '@zonewright/dns'
import type { Log } from '../log.ts'
import { reasonOf } from '../startup-fault.ts'

const retryMs = 100

type Heard = (origin: DomainName, serial: Serial | undefined) => void

/**
 * The instances that share the sockets, and so the NOTIFY messages: each message reaches one of them, which passes it on to the others.
 *
 * The writer of the store listens on a socket in the folder of the store; the instance that waits to be the writer connects to it.
 */
export class Siblings {
  readonly #path: string
  readonly #log: Log
  readonly #heard: Heard
  readonly #others = new Set<Socket>()
  #retry: NodeJS.Timeout | undefined
  #server: Server | undefined
  #isClosed = false

  constructor(directory: string, log: Log, heard: Heard) {
    this.#path = join(directory, 'siblings.sock')
    this.#log = log
    this.#heard = heard
  }

  /** Only the writer of the store may call this, because it deletes the socket of an earlier writer. */
  listen(): void {
    clearTimeout(this.#retry)
    rmSync(this.#path, { force: true })
    this.#server = createServer((socket) => this.#join(socket))
    this.#server.on('error', (error) => this.#log.warn('siblings cannot connect', { reason: reasonOf(error) }))
    this.#server.listen(this.#path).unref()
  }

  /** Connects to the writer of the store, and reconnects until this process is the writer. */
  connect(): void {
    const socket = connect(this.#path)
    this.#join(socket)
    socket.on('close', () => {
      if (this.#server === undefined && !this.#isClosed) this.#retry = setTimeout(() => this.connect(), retryMs).unref()
    })
  }

  /** Passes a NOTIFY on. */
  tell(origin: DomainName, serial: Serial | undefined): void {
    if (this.#others.size === 0) return
    const line = `${origin} ${serial ?? '-'}\n`
    for (const other of this.#others) other.write(line)
  }

  /** Messages that were passed on before still arrive. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#server?.close()
    for (const other of this.#others) other.end()
  }

  #join(socket: Socket): void {
    socket.unref()
    this.#others.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#others.delete(socket))
    let rest = ''
    socket.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#read(line)
    })
  }

  #read(line: string): void {
    const [name = '', serial = '-'] = line.split(' ')
    try {
      this.#heard(parseName(name), serial === '-' ? undefined : toSerial(Number(serial)))
    } catch (error) {
      if (!(error instanceof DnsFault)) throw error
    }
  }
}
