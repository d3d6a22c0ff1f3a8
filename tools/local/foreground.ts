import type { SandboxFacts } from './installation.ts'

/** What runs in the foreground of a terminal, and what a person reads once it is ready. */
interface Foreground {
  readonly welcome: string
  stop(): Promise<void>
}

/** Starts something, tells a person what there is, and stops it in order when it is interrupted. A start that fails ends with 1. */
export async function runInForeground(start: () => Promise<Foreground>): Promise<void> {
  try {
    const running = await start()
    process.stdout.write(running.welcome)
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

/** Where everything is, and what to try. */
export function welcomeTo(facts: SandboxFacts, seconds: number): string {
  const [host, port] = (facts.nameservers[0]?.address ?? '').split(':')
  const name = `hello.${facts.zone.name}`
  return `
Zonewright is ready (${seconds.toFixed(1)} s).

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
`
}
