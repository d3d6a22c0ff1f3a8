/** The webhook receiver as a program: `receiver.ts --data-dir <folder> [--https host:port] [--http host:port]`. */
import { parseArgs } from 'node:util'
import { runProgram } from '../src/program.ts'
import { startReceiver } from '../src/receiver/start-receiver.ts'

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: './data/receiver' },
    https: { type: 'string', default: '127.0.0.1:8443' },
    http: { type: 'string', default: '127.0.0.1:8081' },
  },
})

await runProgram('receiver', async (log) => {
  const receiver = await startReceiver({
    dataDir: values['data-dir'],
    httpsListen: values.https,
    httpListen: values.http,
    log,
  })
  return { at: `https://${receiver.httpsAddress} http://${receiver.httpAddress}`, close: () => receiver.close() }
})
