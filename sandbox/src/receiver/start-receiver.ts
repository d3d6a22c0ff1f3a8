import { once } from 'node:events'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listen } from '../web/listen.ts'
import { createHooksServer } from './hooks-server.ts'
import { Inbox } from './inbox.ts'
import { keepCertificate } from './keep-certificate.ts'
import { createLogServer } from './log-server.ts'

export interface ReceiverOptions {
  /** Where its certificate and its secrets are kept. */
  readonly dataDir: string
  /** `host:port`; port 0 takes a free one. */
  readonly httpsListen: string
  /** `host:port` of the page and the JSON, plain http: keep it on the loopback interface. */
  readonly httpListen: string
  readonly log?: (message: string) => void
}

/** A running receiver of webhooks. `https://<httpsAddress>/hooks/<name>` is one receiver for each name. */
export interface Receiver {
  readonly httpsAddress: string
  readonly httpAddress: string
  /** PEM file of the authority to trust. */
  readonly caFile: string
  /** For the process that runs it. All others use HTTP. */
  readonly inbox: Inbox
  close(): Promise<void>
}

/** Starts the HTTPS receiver and its HTTP log. Secrets that were set are kept across a restart. */
export async function startReceiver({ dataDir, httpsListen, httpListen, log }: ReceiverOptions): Promise<Receiver> {
  const { caFile, ...certificate } = await keepCertificate(dataDir)
  const secretsFile = join(dataDir, 'secrets.json')
  const inbox = new Inbox()
  for (const [receiver, secret] of Object.entries(await readSecrets(secretsFile))) inbox.setSecret(receiver, secret)
  const hooks = createHooksServer(inbox, certificate)
  const logs = createLogServer(inbox, () => writeSecrets(secretsFile, inbox.secrets))
  const httpsAddress = await listen(hooks, httpsListen)
  const httpAddress = await listen(logs, httpListen).catch((error: unknown) => {
    hooks.close()
    throw error
  })
  log?.(`receives at https://${httpsAddress}/hooks/<name>, shows it at http://${httpAddress}/`)
  return {
    httpsAddress,
    httpAddress,
    caFile,
    inbox,
    close: async () => {
      const closed = [once(hooks, 'close'), once(logs, 'close')]
      for (const server of [hooks, logs]) {
        server.close()
        server.closeAllConnections()
      }
      await Promise.all(closed)
    },
  }
}

async function readSecrets(file: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

async function writeSecrets(file: string, secrets: Readonly<Record<string, string>>): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 })
  await rename(`${file}.new`, file)
}
