import { parseArgs } from 'node:util'
import {
  isPermission,
  type Permission,
  permissions,
  requestsPerMinute,
  usualDailyChangeBytes,
} from '@zonewright/contract'
import { zonePartsOf } from '#compose/zone-parts.ts'
import {
  createAccount,
  holdDays,
  limitChanges,
  limitUpdates,
  limitZones,
  restoreAccount,
} from '#modules/accounts/index.ts'
import {
  createKey,
  type KeyExpiry,
  keyExpiries,
  mostPerMinute,
  type NewKey,
  pickScope,
  revokeKeyNamed,
} from '#modules/api-keys/index.ts'
import { delegateTo } from '#modules/records/index.ts'
import {
  addLiveZone,
  catalogName,
  deleteZone,
  limitRrsets,
  liveZoneNamed,
  usualZonesPerAccount,
} from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { accountOf } from './account-of.ts'
import { type Command, wholeOf } from './admin-command.ts'

/** Operator commands for accounts, and for their keys and zones. */
export const accountCommands: Readonly<Record<string, Command>> = {
  'account create': {
    usage: 'account create EMAIL [NAME]',
    summary: 'create an account whose email address counts as confirmed',
    run: (tx, actor, [email = '', name = '']) => createAccount(tx, actor, { email, name }),
  },
  'key create': {
    usage: 'key create EMAIL NAME [--zones all|NAME,…] [--permissions P,…] [--expires never|30d|90d|1y] [--copies N]',
    summary: 'create an API key, or N keys named NAME 1 to NAME N; secrets are printed only once',
    run: async (tx, actor, args) => {
      const { positionals, values } = parseArgs({
        args: [...args],
        allowPositionals: true,
        options: {
          zones: { type: 'string' },
          permissions: { type: 'string' },
          expires: { type: 'string' },
          copies: { type: 'string' },
        },
      })
      const [email = '', name = ''] = positionals
      const { id: accountId } = await accountOf(tx, email)
      const scope = await scopeOf(tx, accountId, values.zones ?? 'all')
      const wish = { ...scope, permissions: permissionsOf(values.permissions), expiresIn: expiryOf(values.expires) }
      if (values.copies === undefined) return createKey(tx, actor, accountId, { name, ...wish })
      const copies = wholeOf('--copies', values.copies, 10_000)
      const made: { id: string; secret: string }[] = []
      for (let n = 1; n <= copies; n++)
        made.push(await createKey(tx, actor, accountId, { name: `${name} ${n}`, ...wish }))
      return made
    },
  },
  'key revoke': {
    usage: 'key revoke EMAIL NAME',
    summary: 'revoke the live key with this name',
    run: async (tx, actor, [email = '', name = '']) => ({
      revoked: await revokeKeyNamed(tx, actor, (await accountOf(tx, email)).id, name),
    }),
  },
  'zone add': {
    usage: 'zone add EMAIL ZONE [ZONE…]',
    summary: 'add zones that are live immediately: all of them or none',
    run: async (tx, actor, [email = '', ...names], platform) => {
      const account = await accountOf(tx, email)
      const parts = zonePartsOf(platform)
      const { freeParents } = platform.configuration
      const zones: { id: string; zone: string; serial: number }[] = []
      for (const name of names) {
        // The operator may host the service's own names, except the catalog zone.
        const {
          id,
          name: zone,
          serial,
        } = await addLiveZone(
          tx,
          parts,
          { actor, accountId: account.id, serviceDomains: [catalogName] },
          name,
          freeParents,
        )
        zones.push({ id, zone, serial })
      }
      return zones
    },
  },
  'zone delete': {
    usage: 'zone delete ZONE',
    summary: 'delete a live zone',
    run: async (tx, actor, [name = ''], { configuration }) => {
      const zone = await zoneOf(tx, name)
      await deleteZone(tx, actor, zone.id, delegateTo(configuration.nameservers.map(({ name }) => name)))
      return { deleted: zone.name }
    },
  },
  'zone limit': {
    usage: 'zone limit ZONE N|default',
    summary: 'set the record set limit of a live zone, or reset it; existing record sets above the limit stay',
    run: async (tx, actor, [name = '', most = '']) => {
      const zone = await zoneOf(tx, name)
      return { zone: zone.name, rrset_limit: await limitRrsets(tx, actor, zone.id, limitOf(most, 100_000)) }
    },
  },
  'account limit': {
    usage: 'account limit EMAIL N|default',
    summary: `set the zone limit of an account, or reset it to ${usualZonesPerAccount}; existing zones above the limit stay`,
    run: async (tx, actor, [email = '', most = '']) => {
      const zones = limitOf(most, 1_000_000)
      await limitZones(tx, actor, await accountOf(tx, email), zones)
      return { zone_limit: zones ?? usualZonesPerAccount }
    },
  },
  'account budget': {
    usage: 'account budget EMAIL BYTES|default',
    summary: `set the daily change budget of an account to BYTES, or to the default of ${usualDailyChangeBytes}; takes effect immediately`,
    run: async (tx, actor, [email = '', most = '']) => {
      const bytes = limitOf(most, 1_000_000_000_000)
      await limitChanges(tx, actor, await accountOf(tx, email), bytes)
      return { daily_change_bytes: bytes ?? usualDailyChangeBytes }
    },
  },
  'update-limit': {
    usage: 'update-limit EMAIL N|default',
    summary: `set how many DNS updates each key of an account may send in a minute, such as for a DHCP server (at most ${mostPerMinute}), or reset it to ${requestsPerMinute.key}`,
    run: async (tx, actor, [email = '', most = '']) => {
      const perMinute = limitOf(most, mostPerMinute)
      await limitUpdates(tx, actor, await accountOf(tx, email), perMinute)
      return { updates_per_minute: perMinute ?? requestsPerMinute.key }
    },
  },
  'account restore': {
    usage: 'account restore EMAIL',
    summary: `undo the deletion of an account, within ${holdDays} days; its keys do not come back`,
    run: async (tx, actor, [email = '']) => ({ restored: await restoreAccount(tx, actor, email) }),
  },
}

async function zoneOf(tx: Tx, name: string) {
  const zone = await liveZoneNamed(tx, name)
  if (zone === undefined) throw new Refusal('not_found', `No live zone is named ${JSON.stringify(name)}.`)
  return zone
}

async function scopeOf(tx: Tx, accountId: string, text: string): Promise<Pick<NewKey, 'zones' | 'domains'>> {
  if (text === 'all') return { zones: 'all' }
  const { scope, faults } = await pickScope(tx, accountId, text.split(','))
  const [fault] = faults
  if (fault) throw new Refusal('not_found', fault.message)
  return scope
}

function limitOf(text: string, most: number): number | null {
  return text === 'default' ? null : wholeOf('A limit', text, most)
}

function permissionsOf(text: string | undefined): readonly Permission[] {
  const wanted = text?.split(',') ?? permissions
  const unknown = wanted.find((permission) => !isPermission(permission))
  if (unknown !== undefined)
    throw new Refusal(
      'validation_failed',
      `The permission ${JSON.stringify(unknown)} does not exist. Use ${permissions.join(', ')}.`,
    )
  return wanted.filter(isPermission)
}

function expiryOf(text = 'never'): KeyExpiry {
  if (text in keyExpiries) return text as KeyExpiry
  throw new Refusal(
    'validation_failed',
    `--expires must be one of ${Object.keys(keyExpiries).join(', ')}, not ${JSON.stringify(text)}.`,
  )
}
