import { createSocket, type Socket } from 'node:dgram'
import { buildMessage, parseMessage, parseName, RrType, rdataToText } from '@zonewright/dns'

const askEveryMs = 1

/** Queries one nameserver repeatedly over one socket until it answers with a value. */
export class AnswerWatch {
  readonly #socket: Socket = createSocket('udp4')
  readonly #host: string
  readonly #port: number
  #hear: (name: string, values: string[]) => void = () => undefined

  constructor(address: string) {
    const [host = '', port = ''] = address.split(':')
    this.#host = host
    this.#port = Number(port)
    this.#socket.on('message', (wire) => {
      const message = parseMessage(wire)
      this.#hear(
        message.questions[0]?.name ?? '',
        message.answers.map(({ type, data }) => rdataToText(type, data)),
      )
    })
  }

  /** Resolves at the first answer that contains the value. Rejects after ten seconds. */
  until(nameText: string, value: string): Promise<void> {
    const name = parseName(`${nameText}.`)
    const query = buildMessage({ id: 1, questions: [{ name, type: RrType.TXT, class: 1 }] })
    return new Promise((resolve, reject) => {
      const ask = setInterval(() => this.#socket.send(query, this.#port, this.#host), askEveryMs)
      const give = setTimeout(() => {
        clearInterval(ask)
        reject(new Error(`${nameText} did not become ${value} within 10 s`))
      }, 10_000)
      this.#hear = (answered, values) => {
        if (answered !== name || !values.includes(value)) return
        clearInterval(ask)
        clearTimeout(give)
        resolve()
      }
    })
  }

  close(): void {
    this.#socket.close()
  }
}
