/** The mailbox as a program: `mailbox.ts --data-dir <folder> [--smtp host:port] [--http host:port]`. */
import { parseArgs } from 'node:util'
import { startMailbox } from '../src/mailbox/start-mailbox.ts'
import { runProgram } from '../src/program.ts'

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: './data/mailbox' },
    smtp: { type: 'string', default: '127.0.0.1:2525' },
    http: { type: 'string', default: '127.0.0.1:8082' },
  },
})

await runProgram('mailbox', async (log) => {
  const mailbox = await startMailbox({
    dataDir: values['data-dir'],
    smtpListen: values.smtp,
    httpListen: values.http,
    log,
  })
  return { at: `smtp://${mailbox.smtpAddress} http://${mailbox.httpAddress}`, close: () => mailbox.close() }
})
