/** The webhook receiver as a program: `receiver.ts --data-dir <folder> [--https host:port] [--http host:port]`. */
import { parseArgs } from 'node:util'
import { startReceiver } from '../src/receiver/start-receiver.ts'

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: './data/receiver' },
    https: { type: 'string', default: '127.0.0.1:8443' },
    http: { type: 'string', default: '127.0.0.1:8081' },
  },
})

try {
  const receiver = await startReceiver({
    dataDir: values['data-dir'],
    httpsListen: values.https,
    httpListen: values.http,
    log: (message) => process.stderr.write(`${JSON.stringify({ time: Date.now(), msg: message })}\n`),
  })
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    void receiver.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  // Forked with a channel: it ends with the process that forked it.
  if (process.connected) process.on('disconnect', stop)
  process.stdout.write(`ready https://${receiver.httpsAddress} http://${receiver.httpAddress}\n`)
} catch (error) {
  process.stderr.write(`The receiver cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
