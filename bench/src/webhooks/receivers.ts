import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A request as the receivers report it: endpoint, event id, and its time of arrival (milliseconds since 1970, with fractions). */
export type Received = readonly [endpoint: number, eventId: string, atMs: number]

export interface ReceiverReady {
  readonly port: number
  readonly dnsPort: number
}

/** The same clock in every process of a machine, with more than a millisecond's precision. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

/** Receivers on many host names, in a separate process. */
export class Receivers {
  readonly port: number
  readonly dnsPort: number
  readonly #process: ChildProcess
  #hear: (received: readonly Received[]) => void = () => undefined

  private constructor(process: ChildProcess, { port, dnsPort }: ReceiverReady) {
    this.#process = process
    this.port = port
    this.dnsPort = dnsPort
    process.on('message', (received) => this.#hear(received as readonly Received[]))
  }

  /** Starts them; `caFile` then has the certificate authority to trust. */
  static async start(caFile: string, hosts: number): Promise<Receivers> {
    const program = fileURLToPath(new URL('./receiver-process.ts', import.meta.url))
    const process = fork(program, [caFile, String(hosts)], { execArgv: ['--disable-warning=ExperimentalWarning'] })
    const [ready] = await once(process, 'message')
    return new Receivers(process, ready as ReceiverReady)
  }

  /** The listener that gets the new requests every 50 ms. */
  onReceived(hear: (received: readonly Received[]) => void): void {
    this.#hear = hear
  }

  url(endpoint: number, hosts: number, kind: 'e' | 'hang' = 'e'): string {
    return `https://h${endpoint % hosts}.hooks.test:${this.port}/${kind}/${endpoint}`
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill()
    await ended
  }
}
