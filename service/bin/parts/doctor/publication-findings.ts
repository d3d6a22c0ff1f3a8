import type { Platform } from '#compose/platform.ts'
import {
  inspectNameservers,
  inspectPrimary,
  type NameserverFacts,
  type OtherClock,
  type PrimaryFacts,
} from '#modules/publication/index.ts'
import { catalogName } from '#modules/zones/index.ts'
import { textOf } from '#platform/settings/configuration.ts'
import { type Finding, fault, ok, synchronizeClocks, warning } from './finding.ts'

/** Checks the hidden primary and each nameserver, over the protocols that they use with each other. */
export async function publicationFindings({ configuration, database: { db }, log }: Platform): Promise<Finding[]> {
  const look = { db, key: configuration.tsigKey.key, catalogName, log }
  const { host, port } = configuration.primaryListen
  const at = { host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port }
  const primary = await inspectPrimary(look, at)
  const nameservers = await inspectNameservers(
    { ...look, from: host },
    configuration.nameservers.map((each) => ({ name: each.name, address: textOf(each) })),
  )
  return [
    primary.isLed
      ? ok('A primary is the leader.')
      : fault(
          'No primary is the leader, so changes do not reach the nameservers.',
          'Start service/bin/primary.ts. Its log says what it waits for.',
        ),
    primaryFinding(primary, textOf(at)),
    ...nameservers.flatMap((facts) =>
      nameserverFindings(facts, addressOf(configuration.nameservers, facts.name), host),
    ),
  ]
}

function addressOf(all: Platform['configuration']['nameservers'], name: string): string {
  const found = all.find((each) => each.name === name)
  return found === undefined ? '' : textOf(found)
}

function primaryFinding({ answer, elsewhere }: PrimaryFacts, at: string): Finding {
  if (answer === 'right') return ok(`The primary at ${at} answers with our key.`)
  if (answer === 'silent' && elsewhere !== undefined)
    return ok(`No primary runs on this machine. The leader runs on another one (${elsewhere}).`)
  if (typeof answer === 'object') return clocksFinding(`the primary at ${at}`, answer)
  return answer === 'silent'
    ? fault(`The primary does not respond at ${at}.`, 'Start service/bin/primary.ts, or correct PRIMARY_LISTEN.')
    : fault(
        `The primary at ${at} has another key than this environment.`,
        'Give every process the same TSIG_KEY, and restart them.',
      )
}

function clocksFinding(who: string, { unixSeconds }: OtherClock): Finding {
  const [theirs, ours] = [new Date(unixSeconds * 1_000), new Date()].map((time) => time.toISOString().slice(0, 19))
  return fault(
    `The clock of ${who} says ${theirs}Z, and this machine's clock says ${ours}Z, so they refuse each other's messages.`,
    `${synchronizeClocks} Until then, no change reaches a nameserver across this difference.`,
  )
}

function nameserverFindings(
  { name, byUdp, byTcp, notify, behind, looked, stalled }: NameserverFacts,
  at: string,
  from: string,
): Finding[] {
  const who = `${name} (${at})`
  if (!byUdp && !byTcp)
    return [
      fault(
        `${who} does not answer.`,
        'Check that it is running, that NAMESERVERS has the right address and port, and that the firewall allows UDP and TCP.',
      ),
    ]
  const findings: Finding[] = []
  if (!byUdp) findings.push(fault(`${who} responds over TCP but not over UDP.`, 'Allow UDP in the firewall.'))
  if (!byTcp)
    findings.push(
      fault(`${who} responds over UDP but not over TCP.`, 'Allow TCP in the firewall. Large responses need it.'),
    )
  if (typeof notify === 'object') findings.push(clocksFinding(who, notify))
  if (notify === 'refused')
    findings.push(
      fault(
        `${who} refuses our NOTIFY: it has another key, does not follow the catalog, or does not accept NOTIFY from ${from}.`,
        'Give it the TSIG_KEY of the service, the catalog, and the addresses of both primaries (docs/runbooks/secondaries.md).',
      ),
    )
  if (notify === 'silent' && byUdp)
    findings.push(
      warning(`${who} does not respond to our NOTIFY.`, 'It gets changes late, when its own timers run. See its log.'),
    )
  const reported = new Set(stalled.zones.map(({ zone }) => zone))
  if (stalled.zoneCount > 0)
    findings.push(
      fault(
        `${who} has stopped following ${stalled.zoneCount === 1 ? 'one zone' : `${stalled.zoneCount} zones`}: ${stalledText(stalled.zones)}.`,
        'Its log says why it refuses the zone. See "A nameserver stops following a zone" in docs/runbooks/what-to-do-when-it-breaks.md.',
      ),
    )
  for (const { zone, expected, served } of behind.filter((each) => !reported.has(each.zone)).slice(0, 3))
    findings.push(behindFinding(who, zone, expected, served))
  return findings.length > 0
    ? findings
    : [ok(`${who} responds, accepts our key, and serves ${looked} of ${looked} zones correctly.`)]
}

function behindFinding(who: string, zone: string, expected: number, served: number | undefined): Finding {
  const [own, theirs] = [expected % 2 ** 32, (served ?? 0) % 2 ** 32]
  if (served !== undefined && served > expected)
    return fault(
      `${who} is ahead of the database: it serves serial ${theirs} of ${zone}, but the zone's serial is ${own}.`,
      'The database lost changes, or another primary serves the zone. See "A nameserver is ahead" in docs/runbooks/what-to-do-when-it-breaks.md.',
    )
  const what = served === undefined ? 'does not serve' : `serves serial ${theirs} of`
  return fault(
    `${who} ${what} ${zone}; it should be ${own}.`,
    'See its log, and "A change does not reach a nameserver" in docs/runbooks/what-to-do-when-it-breaks.md.',
  )
}

function stalledText(zones: NameserverFacts['stalled']['zones']): string {
  const such = zones.map(
    ({ zone, serial, since }) => `${zone} (serial ${serial % 2 ** 32}, since ${since.toISOString()})`,
  )
  return such.length > 0 ? such.join(', ') : 'the zones named first have caught up since'
}
