import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/**
 * Sends a request with a JSON body over a slow line: the headers at once, then `meanwhile` runs, then the body arrives over more than a second.
 * Returns the response as received.
 */
export async function sendSlowly(
  port: number,
  { request, key, body }: { readonly request: string; readonly key: string; readonly body: unknown },
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  try {
    const text = JSON.stringify(body)
    const spaces = 24
    socket.write(
      `${request} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${spaces + text.length}\r\n\r\n`,
    )
    await meanwhile()
    const answered = once(socket, 'data') as Promise<[string]>
    for (let n = 0; n < spaces; n++) {
      socket.write(' ')
      await setTimeout(50)
    }
    socket.write(text)
    const [answer] = await answered
    return answer
  } finally {
    socket.destroy()
  }
}
