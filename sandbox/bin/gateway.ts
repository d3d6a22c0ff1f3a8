/**
 * The card gateway as a program: `gateway.ts --data-dir <folder> [--http host:port] [--webhook URL] --secret-key-file <file>`.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startGateway } from '../src/payments/start-gateway.ts'
import { runProgram } from '../src/program.ts'

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: './data/gateway' },
    http: { type: 'string', default: '127.0.0.1:8084' },
    webhook: { type: 'string' },
    'secret-key-file': { type: 'string', default: '' },
  },
})

await runProgram('gateway', async (log) => {
  const gateway = await startGateway({
    dataDir: values['data-dir'],
    httpListen: values.http,
    secretKey: readFileSync(values['secret-key-file'], 'utf8').trim(),
    ...(values.webhook !== undefined && { webhookUrl: values.webhook }),
    log,
  })
  return { at: `http://${gateway.address}`, close: () => gateway.close() }
})
