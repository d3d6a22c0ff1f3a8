import type { WireAcmeDnsAccount } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import { absolute, parseZoneRef, relativeToRoot } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { findZone } from './lookup-store.ts'
import { RecordLimits } from './record-limits.ts'
import { readEntries } from './scope-store.ts'
import { lockLiveKey } from './store.ts'

const prefix = '_acme-challenge.'

/** Placeholder for the secret, which is not stored. */
const placeholder = 'svc_live_YOUR_KEY'

/**
 * The account file of a key for clients of acme-dns, by the name that a certificate is for. `site`: the address of the service.
 *
 * @throws Refusal `not_found`, or `validation_failed` if the key cannot change the record, or the label is not a name
 */
export async function acmeDnsAccount(
  tx: Tx,
  { accountId, keyId, site }: { readonly accountId: string; readonly keyId: string; readonly site: string },
  { zone: zoneText, label }: { readonly zone: string; readonly label: string },
): Promise<Record<string, WireAcmeDnsAccount>> {
  const key = await lockLiveKey(tx, accountId, keyId)
  if (key === undefined) throw new Refusal('not_found', 'No live key has this id.')
  const zone = await findZone(tx, accountId, parseZoneRef(zoneText))
  if (zone === undefined) throw noSuchZone()
  const subdomain = subdomainOf(label, zone.name)
  const name = `${prefix}${subdomain}`
  const entry = (await readEntries(tx, keyId)).find(({ kind, id }) => kind === 'zone' && id === zone.id)
  const isCovered = key.allZones ? zone.role === 'owner' : entry !== undefined
  const isOpen = key.permissions.some((permission) => permission === 'acme:dns01' || permission === 'records:write')
  const isWithin = !entry?.limits || new RecordLimits(zone.name, entry.limits).covers({ name, type: 'TXT' })
  if (!isCovered || !isOpen || !isWithin)
    throw Refusal.of([
      {
        code: 'not_covered',
        message: `The key ${JSON.stringify(key.name)} cannot change the TXT records of ${name}. Create a key with acme:dns01 that covers them.`,
      },
    ])
  return accountFile({ subdomain, keyId, site })
}

/** The file for a name in a certificate. */
export function accountFile({
  subdomain,
  keyId,
  site,
}: {
  readonly subdomain: string
  readonly keyId: string
  readonly site: string
}): Record<string, WireAcmeDnsAccount> {
  const account = { fulldomain: `${prefix}${subdomain}`, subdomain, username: keyId, password: placeholder }
  return { [subdomain]: { ...account, server_url: `${site}/acme-dns`, allowfrom: [] } }
}

/** The owner name in canonical form that a label means in a zone. The label may be the full name, and may have the prefix. */
function subdomainOf(label: string, zone: string): string {
  const text = label.trim().toLowerCase().replace(/\.$/, '')
  const plain = text.startsWith(prefix) ? text.slice(prefix.length) : text
  if (plain === '' || plain === '@' || plain === zone) return zone
  const relative = plain.endsWith(`.${zone}`) ? plain.slice(0, -zone.length - 1) : plain
  if (/^[\w-]{1,63}(?:\.[\w-]{1,63})*$/.test(relative) && `${prefix}${relative}.${zone}`.length <= 253)
    return relativeToRoot(absolute(`${relative}.${zone}`))
  const message = `${JSON.stringify(label.slice(0, 100))} is not the name of a host in ${zone}. Use a label such as www, or @ for the zone itself.`
  throw Refusal.of([{ path: '/label', code: 'bad_name', message }])
}
