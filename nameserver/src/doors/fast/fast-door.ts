import { isIP } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { TsigKey } from '@zonewright/dns'
import type { Endpoint } from '../../endpoint.ts'
import type { Log } from '../../log.ts'
import type { NotifyHandler } from '../../notify.ts'
import type { SharedGuards } from '../../responder/shared-guards.ts'
import { reasonOf } from '../../startup-fault.ts'
import { ReaderSlot } from '../../tables/reader-slot.ts'
import type { Segments } from '../../tables/segments.ts'
import type { Door } from '../door.ts'
import type { FastThreadData, FromFastThread } from './fast-thread.ts'
import type { Libc } from './libc.ts'
import { Stop, UdpSocket } from './udp-socket.ts'

export interface FastDoorParts {
  readonly libc: Libc
  readonly segments: Segments
  readonly guards: SharedGuards
  readonly log: Log
  readonly keys?: readonly [TsigKey, ...TsigKey[]] | undefined
  readonly onNotify?: NotifyHandler | undefined
}

/** Pause before a restart, so that a thread that keeps crashing is not restarted continuously. */
const restartMs = 100

/**
 * Serves DNS over UDP with threads that do nothing else. Each thread waits in the kernel for datagrams on its own socket, and answers them from the
 * shared tables, many at a time.
 *
 * The sockets belong to the main thread. If a thread dies, its socket still receives its share of the queries, so a new thread takes the socket over.
 */
export class FastDoors {
  readonly #parts: FastDoorParts
  readonly #threads = new Set<FastThread>()
  #nextThread = 1

  constructor(parts: FastDoorParts) {
    this.#parts = parts
  }

  /** Opens an endpoint with the given number of threads. Rejects with an error that has Node's code if the endpoint cannot be opened. */
  async open(endpoint: Endpoint, threads: number): Promise<Door> {
    const { libc } = this.#parts
    const sockets: UdpSocket[] = []
    try {
      for (let count = 0; count < threads; count++) {
        sockets.push(UdpSocket.open(libc, sockets[0]?.endpoint ?? endpoint))
      }
    } catch (error) {
      for (const socket of sockets) socket.close()
      throw error
    }
    return this.#serve(sockets[0]?.endpoint ?? endpoint, sockets)
  }

  /** Serves an endpoint whose sockets another process opened and keeps, with one thread for each socket. */
  async inherit(endpoint: Endpoint, descriptors: readonly number[]): Promise<Door> {
    return this.#serve(
      endpoint,
      descriptors.map((descriptor) => UdpSocket.inherit(this.#parts.libc, descriptor, endpoint)),
    )
  }

  async #serve(endpoint: Endpoint, sockets: readonly UdpSocket[]): Promise<Door> {
    const opened = sockets.map((socket) => new FastThread(this.#parts, socket, this.#nextThread++))
    for (const thread of opened) this.#threads.add(thread)
    const close = async () => {
      await Promise.all(opened.map((thread) => thread.stop()))
      for (const thread of opened) this.#threads.delete(thread)
    }
    try {
      await Promise.all(opened.map((thread) => thread.start()))
    } catch (error) {
      await close()
      throw error
    }
    return { endpoint, close }
  }

  /** The current threads. A thread that crashes is replaced by a new one. */
  get workers(): Worker[] {
    return [...this.#threads].flatMap(({ worker }) => worker ?? [])
  }

  /** Passes a new segment of the tables to every thread. */
  addSegment(buffer: SharedArrayBuffer): void {
    for (const thread of this.#threads) thread.addSegment(buffer)
  }
}

class FastThread {
  readonly #parts: FastDoorParts
  readonly #socket: UdpSocket
  readonly #number: number
  readonly #stop = new Int32Array(new SharedArrayBuffer(4))
  worker: Worker | undefined
  #restart: NodeJS.Timeout | undefined
  #ended: Promise<void> = Promise.resolve()

  constructor(parts: FastDoorParts, socket: UdpSocket, number: number) {
    this.#parts = parts
    this.#socket = socket
    this.#number = number
  }

  /** Resolves when the thread responds. Rejects if the thread ends first. */
  start(): Promise<void> {
    const { segments, guards, keys, onNotify, log } = this.#parts
    const data: FastThreadData = {
      descriptor: this.#socket.descriptor,
      isIpv6: isIP(this.#socket.endpoint.host) === 6,
      stop: this.#stop.buffer as SharedArrayBuffer,
      tables: segments.handle,
      guards,
      thread: this.#number,
      keys,
      hearsNotify: onNotify !== undefined,
    }
    const worker = new Worker(new URL('./fast-thread.ts', import.meta.url), { workerData: data })
    this.worker = worker
    let reason = 'it ended without an error'
    let isReady = false
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromFastThread) => {
        if (message.kind === 'ready') {
          isReady = true
          resolve()
        } else if (message.kind === 'notified') {
          onNotify?.(message.origin, message.serial)
        } else {
          log[message.level](message.msg, message.fields)
        }
      })
      worker.on('error', (error) => {
        reason = reasonOf(error)
      })
      this.#ended = new Promise((ended) => {
        worker.on('exit', () => {
          this.#gone(isReady, reason)
          reject(new Error(reason))
          ended()
        })
      })
    })
  }

  addSegment(buffer: SharedArrayBuffer): void {
    this.worker?.postMessage(buffer)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#restart)
    const isTurnedAway = this.#socket.turnAway()
    Atomics.store(this.#stop, 0, isTurnedAway ? Stop.answerWaiting : Stop.leaveWaiting)
    this.#socket.wake()
    await this.#ended
    this.#socket.close()
  }

  #gone(wasReady: boolean, reason: string): void {
    new ReaderSlot(this.#parts.segments.control, this.#number).leave()
    if (this.#stop[0] !== 0 || !wasReady) return
    this.#parts.log.error('a thread of the fast door crashed: starting it again', { reason })
    this.#restart = setTimeout(() => this.#startAgain(), restartMs)
  }

  #startAgain(): void {
    this.start().catch((error: unknown) => {
      if (this.#stop[0] !== 0) return
      this.#parts.log.error('a thread of the fast door does not start', { reason: reasonOf(error) })
      this.#restart = setTimeout(() => this.#startAgain(), restartMs)
    })
  }
}
