import { isIP } from 'node:net'
import { displayQuoted, type WireWantedSecondary } from '@zonewright/contract'
import { asName, isHostName, isLocalHost, isWithin } from '@zonewright/dns'
import type { KeyDetails } from '#modules/api-keys/index.ts'
import { type Endpoint, parseEndpoint } from '#modules/primary/index.ts'
import { absolute, relativeToRoot } from '#modules/zones/index.ts'
import type { FaultDetail } from '#platform/errors.ts'

/** The port of secondaries that name none. */
const dnsPort = 53

/** A secondary as a customer wants it, in canonical form. */
export interface WantedSecondary {
  readonly address: string
  readonly port: number
  readonly keyId: string
  /** Lower-case, without the final dot. */
  readonly nsName: string | null
}

/** What decides where the service sends messages. */
export interface Reach {
  /** Whether messages may be sent there: the rule of webhooks. */
  readonly mayReach: (at: Endpoint) => boolean
  /** Our nameservers and the DNS door, which would notify us of our own changes. */
  readonly ownServers: readonly Endpoint[]
  /** The names of our nameservers. */
  readonly nameservers: readonly string[]
}

/** Reads the list of a request, and finds everything that is wrong with it without looking anything up. */
export function readWanted(
  wire: readonly WireWantedSecondary[],
  reach: Reach,
): { wanted: WantedSecondary[]; faults: FaultDetail[] } {
  const faults: FaultDetail[] = []
  const wanted: WantedSecondary[] = []
  for (const [i, { address, port = dnsPort, key_id: keyId, ns_name: nsName = null }] of wire.entries()) {
    const path = `/secondaries/${i}`
    const at = { host: canonicalAddress(address), port }
    const name = nsName === null ? null : hostNameIn(nsName)
    const atFault = addressFault(at, wanted, reach)
    if (atFault) faults.push({ path: `${path}/address`, ...atFault })
    const ofName = nameFault(name, wanted, reach)
    if (ofName) faults.push({ path: `${path}/ns_name`, ...ofName })
    wanted.push({ address: at.host ?? address, port, keyId, nsName: name ?? null })
  }
  return { wanted, faults }
}

/** What is wrong with an address after those of `earlier`; undefined: nothing. `host`: undefined if it is not an IP address. */
function addressFault(
  { host, port }: { readonly host: string | undefined; readonly port: number },
  earlier: readonly WantedSecondary[],
  { mayReach, ownServers }: Reach,
): FaultDetail | undefined {
  if (host === undefined)
    return { code: 'bad_address', message: 'This is not an IP address, such as 203.0.113.53 or 2001:db8::53.' }
  if (ownServers.some((own) => own.host === host && own.port === port))
    return { code: 'own_server', message: 'This is a server of this service. Give the address of your own secondary.' }
  if (!mayReach({ host, port })) return { code: 'not_public', message: 'The address is not public.' }
  if (earlier.some(({ address }) => address === host))
    return { code: 'duplicate', message: `${host} appears twice in this request. Send it once.` }
  return undefined
}

/** The same for a name. Null: there is none. Undefined: it is not the name of a host. */
function nameFault(
  name: string | null | undefined,
  earlier: readonly WantedSecondary[],
  { nameservers }: Reach,
): FaultDetail | undefined {
  if (name === null) return undefined
  if (name === undefined)
    return { code: 'bad_name', message: 'This is not the name of a host on the internet, such as ns3.example.com.' }
  if (nameservers.includes(name))
    return {
      code: 'reserved',
      message: `${name} is a nameserver of this service, and is in the NS records already.`,
    }
  if (earlier.some(({ nsName }) => nsName === name))
    return { code: 'duplicate', message: `${name} appears twice in this request. Send it once.` }
  return undefined
}

/** An IP address in its canonical form (RFC 5952). Undefined: the text is not one, or has a zone (`%eth0`). */
export function canonicalAddress(text: string): string | undefined {
  return parseEndpoint(text.includes(':') ? `[${text}]:${dnsPort}` : `${text}:${dnsPort}`)?.host
}

function hostNameIn(text: string): string | undefined {
  const name = asName(text.endsWith('.') ? text : `${text}.`)
  if (name === undefined || !isHostName(name)) return undefined
  const host = relativeToRoot(name)
  return isLocalHost(host) || isIP(host) !== 0 ? undefined : host
}

/** Whether a host name is the zone's or below it, so that the zone must have its addresses. */
export function isInZone(host: string, zone: string): boolean {
  return isWithin(absolute(host), absolute(zone))
}

/**
 * Why a key cannot be that of a secondary; undefined: it can.
 *
 * @param key undefined: there is none
 */
export function keyFault(
  key: KeyDetails | undefined,
  zone: { readonly id: string; readonly name: string; readonly accountId: string },
): string | undefined {
  if (key === undefined || key.accountId !== zone.accountId) return 'Your account has no API key with this id.'
  const name = `The API key ${displayQuoted(key.name)}`
  if (key.state === 'revoked') return `${name} was revoked. Choose another key.`
  if (key.state === 'expired') return `${name} has expired. Choose another key.`
  if (!key.permissions.includes('records:read')) return `${name} does not have the permission records:read.`
  if (key.limits !== null)
    return `${name} is limited to some record sets, and a secondary copies the whole zone. Choose a key without limits.`
  if (key.zones !== null && !key.zones.some(({ kind, id }) => kind === 'zone' && id === zone.id))
    return `${name} does not cover ${zone.name}.`
  if (key.tsigAt === null) return `${name} has no TSIG secret. Create one first.`
  return undefined
}

/** NOTIFYs of one change to a secondary that does not answer: the last one is sent about half a minute after the first. */
const mostAttempts = 6

/** The minimum time between two NOTIFYs of a zone to an address, in seconds. */
export const leastPauseS = 1

export type NotifyOutcome = 'acknowledged' | 'refused' | 'silent'

/** What follows from the outcome of a NOTIFY. */
export interface AfterNotify {
  /** This was the last NOTIFY of the serial. */
  readonly isDone: boolean
  /** NOTIFYs without an answer in a row. */
  readonly attempts: number
  /** The minimum time from this NOTIFY to the next one, in seconds. */
  readonly pauseS: number
}

/**
 * Any answer ends the NOTIFYs of a serial (RFC 1996 §3.6): a secondary that refuses one also refuses the next. Without an answer, they are repeated
 * after at least 1, 2, 4, 8 and 16 s. After that, the secondary finds the change when it refreshes the zone.
 *
 * @param attempts NOTIFYs without an answer before this one
 */
export function afterNotify(outcome: NotifyOutcome, attempts: number): AfterNotify {
  if (outcome !== 'silent' || attempts + 1 >= mostAttempts) return { isDone: true, attempts: 0, pauseS: leastPauseS }
  return { isDone: false, attempts: attempts + 1, pauseS: leastPauseS * 2 ** attempts }
}
