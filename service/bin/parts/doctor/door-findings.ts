import type { Platform } from '#compose/platform.ts'
import { inspectDoor } from '#modules/dns-door/index.ts'
import { textOf } from '#platform/settings/configuration.ts'
import { type Finding, fault, ok } from './finding.ts'

const page = 'docs/runbooks/deploy.md, "The DNS door"'

/** Checks the DNS door at the address that customers use. Without a door, customers must not have TSIG secrets. */
export async function doorFindings({
  configuration: { doorAddress },
  database: { db },
  secrets,
}: Pick<Platform, 'database' | 'secrets'> & {
  readonly configuration: Pick<Platform['configuration'], 'doorAddress'>
}): Promise<Finding[]> {
  const { host, port } = doorAddress
  const at = { host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port }
  const { signers, byUdp, byTcp, isCutOff, signature } = await inspectDoor({ db, secrets }, at)
  const who = `The DNS door at ${textOf(at)}`
  if (!byUdp && !byTcp) {
    if (signers === 0) return [ok(`No DNS door responds at ${textOf(at)}, and no API key has a TSIG secret.`)]
    return [
      fault(
        `${who} does not respond, and ${signers === 1 ? 'one API key has a TSIG secret' : `${signers} API keys have TSIG secrets`}.`,
        `Start service/bin/dns-door.ts, correct DOOR_ADDRESS, or allow UDP and TCP in the firewall. Until then, DNS updates of customers fail (${page}).`,
      ),
    ]
  }
  const findings: Finding[] = []
  if (!byUdp)
    findings.push(
      fault(
        `${who} responds over TCP but not over UDP.`,
        'Allow UDP in the firewall. If zonewright_door_dropped_total rises, the door drops unsigned messages because of its limits.',
      ),
    )
  if (!byTcp)
    findings.push(
      fault(
        `${who} responds over UDP but not over TCP.`,
        'Allow TCP in the firewall. Many clients use only TCP, and transfers need it.',
      ),
    )
  if (isCutOff)
    findings.push(
      fault(
        `${who} cannot use the database.`,
        `Its log says why. Check its DATABASE_URL, and that DATABASE_DOOR_ROLE was set for the last migration (${page}).`,
      ),
    )
  const faultOfKey = signature && keyFaults[signature]
  if (faultOfKey !== undefined) findings.push(fault(`${who} ${faultOfKey.says}.`, faultOfKey.advice))
  return findings.length > 0
    ? findings
    : [ok(`${who} responds${signature === 'right' ? ', and checks the signatures of API keys' : ''}.`)]
}

const otherServer = 'If another DNS server responds at this address, correct DOOR_ADDRESS.'
const ownKey = `Set its DOOR_KEY to the value that "admin.ts door-key" prints here, and restart it (${page}). ${otherServer}`

const keyFaults = {
  right: undefined,
  cannot_check: { says: 'cannot open the TSIG secrets of API keys', advice: ownKey },
  other_secret: { says: 'has another secret for an API key than the database', advice: ownKey },
  key_unknown: {
    says: 'does not know an API key that has a TSIG secret',
    advice: `It uses another database. Correct its DATABASE_URL (${page}). ${otherServer}`,
  },
} as const
