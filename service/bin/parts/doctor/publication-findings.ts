import type { Platform } from '#compose/platform.ts'
import { inspectNameservers, inspectPrimary, type NameserverFacts } from '#modules/publication/index.ts'
import { catalogName } from '#modules/zones/index.ts'
import { textOf } from '#platform/settings/configuration.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** Looks at the hidden primary and at each nameserver, by the protocols that they speak with each other. */
export async function publicationFindings({ configuration, database: { db }, log }: Platform): Promise<Finding[]> {
  const look = { db, key: configuration.tsigKey.key, catalogName, log }
  const { host, port } = configuration.primaryListen
  const at = { host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port }
  const { answer, isLed } = await inspectPrimary(look, at)
  const nameservers = await inspectNameservers(
    { ...look, from: host },
    configuration.nameservers.map((each) => ({ name: each.name, address: textOf(each) })),
  )
  return [
    isLed
      ? ok('A primary leads.')
      : fault(
          'No primary leads: changes reach no nameserver.',
          'Start service/bin/primary.ts; its log says what it waits for.',
        ),
    primaryFinding(answer, textOf(at)),
    ...nameservers.flatMap((facts) =>
      nameserverFindings(facts, addressOf(configuration.nameservers, facts.name), host),
    ),
  ]
}

function addressOf(all: Platform['configuration']['nameservers'], name: string): string {
  const found = all.find((each) => each.name === name)
  return found === undefined ? '' : textOf(found)
}

function primaryFinding(answer: 'right' | 'wrong_key' | 'silent', at: string): Finding {
  if (answer === 'right') return ok(`The primary at ${at} answers with our key.`)
  return answer === 'silent'
    ? fault(
        `Nobody answers at ${at}, where the primary should be.`,
        'Start service/bin/primary.ts, or correct PRIMARY_LISTEN.',
      )
    : fault(
        `The primary at ${at} has another key than this environment.`,
        'Give every process the same TSIG_KEY, and restart them.',
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
        'Is it running, and is port and address right in NAMESERVERS? Does a firewall let UDP and TCP in?',
      ),
    ]
  const findings: Finding[] = []
  if (!byUdp) findings.push(fault(`${who} answers by TCP and not by UDP.`, 'Let UDP through the firewall.'))
  if (!byTcp)
    findings.push(
      fault(`${who} answers by UDP and not by TCP.`, 'Let TCP through the firewall: large answers need it.'),
    )
  if (notify === 'refused')
    findings.push(
      fault(
        `${who} does not take our NOTIFY: it has another key, does not follow the catalog, or takes none from ${from}.`,
        'Give it the TSIG_KEY of the service, the catalog, and the addresses of both primaries (docs/runbooks/secondaries.md).',
      ),
    )
  if (notify === 'silent' && byUdp)
    findings.push(
      warning(
        `${who} leaves our NOTIFY without an answer.`,
        'It will learn of changes late, by its own timers: see its log.',
      ),
    )
  const told = new Set(stalled.zones.map(({ zone }) => zone))
  if (stalled.zoneCount > 0)
    findings.push(
      fault(
        `${who} has stopped following ${stalled.zoneCount === 1 ? 'one zone' : `${stalled.zoneCount} zones`}: ${stalledText(stalled.zones)}.`,
        'Its log says why it refuses the zone: see "A nameserver stops following a zone" in docs/runbooks/what-to-do-when-it-breaks.md.',
      ),
    )
  for (const { zone, expected, served } of behind.filter((each) => !told.has(each.zone)).slice(0, 3))
    findings.push(
      fault(
        `${who} ${served === undefined ? 'does not serve' : `serves serial ${served} of`} ${zone}; it should be ${expected}.`,
        'See its log, and "A change does not reach a nameserver" in docs/runbooks/what-to-do-when-it-breaks.md.',
      ),
    )
  return findings.length > 0
    ? findings
    : [ok(`${who} answers, takes our key, and serves ${looked} of ${looked} zones as they are.`)]
}

function stalledText(zones: NameserverFacts['stalled']['zones']): string {
  const such = zones.map(
    ({ zone, serial, since }) => `${zone} (serial ${serial % 2 ** 32}, since ${since.toISOString()})`,
  )
  return such.length > 0 ? such.join(', ') : 'those named first have caught up by now'
}
