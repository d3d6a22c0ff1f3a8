// `npm start`: a whole Zonewright on this machine, with a demo account, until it is interrupted.
import { dataDirOf } from '@zonewright/service/data-dir'
import { documentedAddresses } from './local/addresses.ts'
import { type Installation, startInstallation } from './local/installation.ts'

const { env } = process
const began = Date.now()
try {
  const installation = await startInstallation({
    dataDir: dataDirOf(env),
    addresses: documentedAddresses(env),
    databaseUrl: env['DATABASE_URL'],
    given: env,
    onStep: (step) => process.stderr.write(`Starting ${step}…\n`),
  })
  process.stdout.write(welcome(installation))
  stopOnSignal(installation)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

function stopOnSignal(installation: Installation): void {
  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    process.stderr.write('Stopping…\n')
    await installation.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  if (process.connected) process.on('disconnect', stop)
}

function welcome({ facts }: Installation): string {
  const [host, port] = (facts.nameservers[0]?.address ?? '').split(':')
  const name = `hello.${facts.zone.name}`
  return `
Zonewright is ready (${((Date.now() - began) / 1000).toFixed(1)} s).

  Dashboard       ${facts.dashboard_url}
  API             ${facts.base_url}/api/v1   (reference: ${facts.reference_url})
  Account         ${facts.account.email}, password ${facts.account.password}, authenticator ${facts.account.totp_secret}
  API key         ${facts.api_key}
  Nameservers     ${facts.nameservers.map((nameserver) => `${nameserver.name} at ${nameserver.address}`).join(', ')}
  Webhooks seen   ${facts.receiver_log_url}
  Mails sent      ${facts.mailbox_url}

Change a record:

  curl -X PUT ${facts.base_url}/api/v1/zones/${facts.zone.name}/rrsets/hello/TXT \\
    -H 'Authorization: Bearer ${facts.api_key}' -H 'Content-Type: application/json' \\
    -d '{"ttl": 60, "records": ["\\"it works\\""]}'

Ask for it:

  dig @${host} -p ${port} ${name} TXT +short

Ctrl-C stops everything; the data stay.
`
}
