import { once } from 'node:events'
import { Behaviours } from '../behaviours.ts'
import { listen } from '../web/listen.ts'
import type { Behaviour } from './behaviour.ts'
import { MailFolder } from './mail-folder.ts'
import { createSmtpServer, type SmtpAccess } from './smtp-server.ts'
import { createWebServer } from './web-server.ts'

export interface MailboxOptions extends SmtpAccess {
  /** The folder where the emails are stored. */
  readonly dataDir: string
  /** `host:port`; port 0 takes a free one. */
  readonly smtpListen: string
  /** `host:port` of the pages and the JSON, plain http: keep it on the loopback interface. */
  readonly httpListen: string
  readonly log?: (message: string) => void
}

/** A running mailbox for all addresses. It receives messages over SMTP and shows them over HTTP. */
export interface Mailbox {
  readonly smtpAddress: string
  readonly httpAddress: string
  /** For the process that runs it. All others use HTTP. */
  readonly folder: MailFolder
  readonly behaviours: Behaviours<Behaviour>
  close(): Promise<void>
}

/** Starts the SMTP server and the HTTP server. Messages are kept across a restart. */
export async function startMailbox({
  dataDir,
  smtpListen,
  httpListen,
  log,
  ...access
}: MailboxOptions): Promise<Mailbox> {
  const folder = await MailFolder.open(dataDir)
  const behaviours = new Behaviours<Behaviour>()
  const smtp = createSmtpServer(folder, behaviours, access)
  const web = createWebServer(folder, behaviours)
  const closeSmtp = (): Promise<void> => new Promise((resolve) => smtp.close(resolve))
  const smtpAddress = await listen(smtp.server, smtpListen)
  const httpAddress = await listen(web, httpListen).catch(async (error: unknown) => {
    await closeSmtp()
    throw error
  })
  log?.(`takes mail at ${smtpAddress}, shows it at http://${httpAddress}/`)
  return {
    smtpAddress,
    httpAddress,
    folder,
    behaviours,
    close: async () => {
      const closed = once(web, 'close')
      web.close()
      web.closeAllConnections()
      await Promise.all([closed, closeSmtp()])
    },
  }
}
