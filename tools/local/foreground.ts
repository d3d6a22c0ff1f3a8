import { hostAndPort } from './addresses.ts'
import type { SandboxFacts } from './installation.ts'

/** An installation that runs in the foreground of a terminal. */
interface Foreground {
  readonly facts: SandboxFacts
  /** What else to print once it is ready. */
  readonly more?: string
  stop(): Promise<void>
}

/**
 * Starts an installation, prints its addresses and what to try, and stops it in order when it is interrupted. If the start fails, the
 * process exits with 1.
 */
export async function runInForeground(start: () => Promise<Foreground>): Promise<void> {
  const beganMs = performance.now()
  try {
    const running = await start()
    const welcome = welcomeTo(running.facts, (performance.now() - beganMs) / 1_000)
    process.stdout.write(`${welcome}\n${running.more ?? ''}Ctrl-C stops everything and keeps the data.\n`)
    stopOnSignal(running)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

function stopOnSignal(running: Foreground): void {
  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    process.stderr.write('Stopping…\n')
    await running.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  if (process.connected) process.on('disconnect', stop)
}

/** The addresses of everything, and what to try. */
function welcomeTo(facts: SandboxFacts, seconds: number): string {
  const { host, port } = hostAndPort(facts.nameservers[0]?.address ?? '')
  const { address: door, tsig } = facts.dns_door
  const name = `hello.${facts.zone.name}`
  return `
Zonewright is ready (${seconds.toFixed(1)} s).

  Dashboard       ${facts.dashboard_url}
  API             ${facts.base_url}/api/v1   (reference: ${facts.reference_url})
  Account         ${facts.account.email}, password ${facts.account.password}, authenticator ${facts.account.totp_secret}
  API key         ${facts.api_key}
  DNS door        ${door}, TSIG key ${tsig.algorithm}:${tsig.name}:${tsig.secret}
  Nameservers     ${facts.nameservers.map((nameserver) => `${nameserver.name} at ${nameserver.address}`).join(', ')}
  Webhooks seen   ${facts.receiver_log_url}
  Emails sent     ${facts.mailbox_url}

Change a record:

  curl -X PUT ${facts.base_url}/api/v1/zones/${facts.zone.name}/rrsets/hello/TXT \\
    -H 'Authorization: Bearer ${facts.api_key}' -H 'Content-Type: application/json' \\
    -d '{"ttl": 60, "records": ["\\"it works\\""]}'

Ask for it:

  dig @${host} -p ${port} ${name} TXT +short

Connect a client, such as certbot or a router:

  ${facts.dashboard_url}connect-a-client
`
}
