// The load over UDP, as a process of its own. It receives its orders and sends its results as messages. One thread sends queries over a few
// sockets, with many queries in progress on each; an answer that is missing for 200 ms is lost.
import { type ClientLibc, openClientLibc, openClientSocket } from './client-socket.ts'
import { batchSize, MessageBatch } from './message-batch.ts'
import { QuerySet } from './query-file.ts'

/** An order: the queries to send. */
export interface LoadOrder {
  /** A file of `writeQueries`. */
  readonly queries: string
  readonly port: number
  /** The duration; `once`: until each query has been answered once, including those that were lost at first. */
  readonly seconds: number | 'once'
}

/** The result. */
export interface LoadResult {
  readonly answered: number
  /** The number of unexpected answers, and one of them. */
  readonly wrong: number
  readonly firstWrong: string | undefined
  readonly lost: number
  readonly seconds: number
}

/** The receive buffer of a server's socket holds some 270 small packets if the system allows no more. */
const sockets = 4
const underWay = 64
const lostAfterMs = 200
const answerBytes = 1536
const free = -1

interface Client {
  readonly descriptor: number
  /** The query of each id that is in progress. */
  readonly asked: Int32Array
  waiting: number
  nextId: number
  heardAtMs: number
}

const libc = openClientLibc()
const sets = new Map<string, QuerySet>()
process.on('message', (order: LoadOrder) => process.send?.(new Load(libc, order).run()))

class Load {
  readonly #order: LoadOrder
  readonly #set: QuerySet
  readonly #setAddress: number
  readonly #sending: MessageBatch
  readonly #receiving: MessageBatch
  readonly #answers = new DataView(new ArrayBuffer(batchSize * answerBytes))
  readonly #clients: Client[]
  readonly #close: () => void
  /** Sent again, only if each query has to be answered. */
  readonly #again: number[] = []
  #next = 0
  #answered = 0
  #wrong = 0
  #firstWrong: string | undefined
  #lost = 0

  constructor(libc: ClientLibc, order: LoadOrder) {
    this.#order = order
    this.#set = sets.get(order.queries) ?? new QuerySet(order.queries)
    sets.set(order.queries, this.#set)
    this.#setAddress = Number(libc.addressOf(this.#set.memory))
    this.#sending = new MessageBatch(libc)
    this.#receiving = new MessageBatch(libc)
    const answersAddress = Number(libc.addressOf(this.#answers.buffer))
    for (let index = 0; index < batchSize; index++) {
      this.#receiving.place(index, answersAddress + index * answerBytes, answerBytes)
    }
    const opened = Array.from({ length: sockets }, () => openClientSocket(libc, order.port))
    this.#clients = opened.map(({ descriptor }) => ({
      descriptor,
      asked: new Int32Array(0x10000).fill(free),
      waiting: 0,
      nextId: 0,
      heardAtMs: 0,
    }))
    this.#close = () => {
      for (const socket of opened) socket.close()
    }
  }

  run(): LoadResult {
    const beganMs = performance.now()
    const { seconds } = this.#order
    const endMs = seconds === 'once' ? Number.POSITIVE_INFINITY : beganMs + seconds * 1000
    let nowMs = beganMs
    for (const client of this.#clients) client.heardAtMs = nowMs
    for (; nowMs < endMs && !this.#isDone(); nowMs = performance.now()) {
      for (const client of this.#clients) {
        const received = this.#hear(client, nowMs)
        if (received > 0 || client.waiting <= underWay / 2) this.#ask(client)
      }
    }
    this.#close()
    return {
      answered: this.#answered,
      wrong: this.#wrong,
      firstWrong: this.#firstWrong,
      lost: this.#lost,
      seconds: (nowMs - beganMs) / 1000,
    }
  }

  #isDone(): boolean {
    if (this.#order.seconds !== 'once' || this.#next < this.#set.size || this.#again.length > 0) return false
    return this.#clients.every(({ waiting }) => waiting === 0)
  }

  #hear(client: Client, nowMs: number): number {
    const count = this.#receiving.receive(client.descriptor)
    if (count > 0) client.heardAtMs = nowMs
    else if (client.waiting > 0 && nowMs - client.heardAtMs > lostAfterMs) this.#giveUp(client, nowMs)
    for (let index = 0; index < count; index++) {
      const at = index * answerBytes
      const id = this.#answers.getUint16(at)
      const query = client.asked[id] ?? free
      // Too late, or a duplicate.
      if (query === free) continue
      client.asked[id] = free
      client.waiting--
      this.#answered++
      const length = this.#receiving.lengthOf(index)
      if (!this.#set.isRight(query, this.#answers, at, length)) this.#noteWrong(at, length)
    }
    return count
  }

  #giveUp(client: Client, nowMs: number): void {
    if (this.#order.seconds === 'once') this.#again.push(...client.asked.filter((query) => query !== free))
    this.#lost += client.waiting
    client.asked.fill(free)
    client.waiting = 0
    client.heardAtMs = nowMs
  }

  #noteWrong(at: number, length: number): void {
    this.#wrong++
    this.#firstWrong ??= Buffer.from(this.#answers.buffer, at, length).toString('hex')
  }

  #ask(client: Client): void {
    let count = 0
    for (; count < batchSize && client.waiting + count < underWay; count++) {
      const query = this.#nextQuery()
      if (query === free) break
      const id = client.nextId
      client.nextId = (id + 1) & 0xffff
      client.asked[id] = query
      this.#set.setId(query, id)
      this.#sending.place(count, this.#setAddress + this.#set.packetAt(query), this.#set.lengthOf(query))
    }
    // Queries that the kernel did not accept also count as in progress, and then as lost.
    if (count > 0) this.#sending.send(client.descriptor, count)
    client.waiting += count
  }

  #nextQuery(): number {
    const again = this.#again.pop()
    if (again !== undefined) return again
    if (this.#next < this.#set.size) return this.#next++
    if (this.#order.seconds === 'once') return free
    this.#next = 1
    return 0
  }
}
