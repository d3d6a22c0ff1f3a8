import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import {
  isPermission,
  type OrderKind,
  orderKinds,
  type Permission,
  permissions,
  readEmail,
  usualDailyChangeBytes,
} from '@zonewright/contract'
import { accountMailsOf, authOf } from '#compose/auth.ts'
import { zonePartsOf } from '#compose/zone-parts.ts'
import {
  accountByEmail,
  createAccount,
  fromBase32,
  holdDays,
  limitChanges,
  limitZones,
  restoreAccount,
} from '#modules/accounts/index.ts'
import {
  createKey,
  type KeyExpiry,
  keyExpiries,
  type NewKey,
  pickScope,
  revokeKeyNamed,
} from '#modules/api-keys/index.ts'
import { createPromo, endPromo, grantCredit, kobo, promoCodeOf } from '#modules/billing/index.ts'
import { queueMail, testMail } from '#modules/mail/index.ts'
import { restoreSerials } from '#modules/publication/index.ts'
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
import { type Command, chosenWords } from './admin-command.ts'
import { domainCommands } from './domain-commands.ts'
import { orderCommands } from './order-commands.ts'

export const commands: Readonly<Record<string, Command>> = {
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
        // The operator may host the service's own names, but for the catalog zone.
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
    summary: `set the daily change budget of an account to BYTES, or to the default of ${usualDailyChangeBytes}; takes effect at once`,
    run: async (tx, actor, [email = '', most = '']) => {
      const bytes = limitOf(most, 1_000_000_000_000)
      await limitChanges(tx, actor, await accountOf(tx, email), bytes)
      return { daily_change_bytes: bytes ?? usualDailyChangeBytes }
    },
  },
  'account restore': {
    usage: 'account restore EMAIL',
    summary: `undo the deletion of an account, within ${holdDays} days; its keys do not come back`,
    run: async (tx, actor, [email = '']) => ({ restored: await restoreAccount(tx, actor, email) }),
  },
  'credit grant': {
    usage: 'credit grant EMAIL KOBO [NOTE]',
    summary: 'give an account credit; the note is shown with it',
    run: async (tx, actor, [email = '', amount = '', ...note]) => {
      const { id: accountId } = await accountOf(tx, email)
      const amountKobo = kobo(wholeOf('KOBO', amount))
      return grantCredit(tx, actor, { accountId, amountKobo, note: chosenWords('NOTE', note) })
    },
  },
  'promo create': {
    usage:
      'promo create CODE (--percent N | --fixed KOBO) [--kinds register,…] [--tlds TLD,…] [--account EMAIL] [--from TIME] [--until TIME] [--uses N] [--repeatable]',
    summary: 'create a promo code; each account can use it once unless it is repeatable',
    run: async (tx, actor, args) => {
      const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: promoOptions })
      const code = promoCodeOf(positionals[0] ?? '')
      await createPromo(tx, actor, {
        code,
        percent: values.percent === undefined ? null : wholeOf('--percent', values.percent, 100),
        fixedKobo: values.fixed === undefined ? null : wholeOf('--fixed', values.fixed),
        kinds: values.kinds?.split(',').map(kindOf) ?? null,
        tlds: values.tlds?.split(',') ?? null,
        accountId: values.account === undefined ? null : (await accountOf(tx, values.account)).id,
        startsAt: timeOf('--from', values.from),
        endsAt: timeOf('--until', values.until),
        maxUses: values.uses === undefined ? null : wholeOf('--uses', values.uses),
        onceAnAccount: values.repeatable !== true,
      })
      return { created: code }
    },
  },
  'promo end': {
    usage: 'promo end CODE',
    summary: 'end a promo code; orders that have already reserved it keep it',
    run: async (tx, actor, [code = '']) => {
      await endPromo(tx, actor, code)
      return { ended: promoCodeOf(code) }
    },
  },
  ...orderCommands,
  ...domainCommands,
  'mail test': {
    usage: 'mail test ADDRESS',
    summary: 'send a test email the same way as every other email',
    run: async (tx, _actor, [to = ''], { secrets, configuration }) => {
      const { address, fault } = readEmail(to)
      if (fault !== undefined) throw new Refusal('validation_failed', fault)
      return {
        queued: await queueMail(tx, secrets, { to: address, message: testMail({ site: configuration.publicUrl }) }),
      }
    },
  },
  'restore-serials': {
    usage: 'restore-serials',
    summary: 'after a restore from a backup: move all serials ahead of those that the nameservers have',
    run: async (tx, actor) => {
      const { zones, catalogSerial } = await restoreSerials(tx, actor)
      return { zones, catalog_serial: catalogSerial }
    },
  },
  demo: {
    usage: 'demo EMAIL ZONE SECRETS',
    summary:
      'for the sandbox: create the demo account and zone if they are missing, and replace the all-zones key; ' +
      'SECRETS is a JSON file with the password and the totp_secret of the account',
    run: async (tx, actor, [email = '', zoneName = '', secrets = ''], platform) => {
      const account = (await accountByEmail(tx, email)) ?? (await createAccount(tx, actor, { email, name: 'Demo' }))
      const given = JSON.parse(await readFile(secrets, 'utf8')) as { password: string; totp_secret: string }
      const auth = authOf(platform, accountMailsOf(platform))
      await auth.provide(tx, account.id, { password: given.password, totpSecret: fromBase32(given.totp_secret) })
      const zone =
        (await liveZoneNamed(tx, zoneName)) ??
        (await addLiveZone(
          tx,
          zonePartsOf(platform),
          { actor, accountId: account.id, serviceDomains: [catalogName] },
          zoneName,
        ))
      await revokeKeyNamed(tx, actor, account.id, 'demo')
      const key = await createKey(tx, actor, account.id, {
        name: 'demo',
        zones: 'all',
        permissions,
        expiresIn: 'never',
      })
      return { api_key: key.secret, zone_id: zone.id }
    },
  },
}

const promoOptions = {
  percent: { type: 'string' },
  fixed: { type: 'string' },
  kinds: { type: 'string' },
  tlds: { type: 'string' },
  account: { type: 'string' },
  from: { type: 'string' },
  until: { type: 'string' },
  uses: { type: 'string' },
  repeatable: { type: 'boolean' },
} as const

/** Every command with its arguments. */
export function usage(): string {
  const lines = Object.values(commands).map((command) => `  ${command.usage}\n      ${command.summary}\n`)
  const doctor =
    '  doctor [--json]\n      check the whole installation, and report what is wrong and what to do; exits with 1 if something is broken\n'
  return `Usage: node service/bin/admin.ts COMMAND\n\n${doctor}${lines.join('')}`
}

async function accountOf(tx: Tx, email: string) {
  const account = await accountByEmail(tx, email)
  if (account === undefined) throw new Refusal('not_found', `No account has the address ${JSON.stringify(email)}.`)
  return account
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

function wholeOf(what: string, text: string, most = 1_000_000_000_000): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > most)
    throw new Refusal(
      'validation_failed',
      `${what} must be a whole number from 1 to ${most}, not ${JSON.stringify(text)}.`,
    )
  return number
}

function kindOf(text: string): OrderKind {
  const kind = orderKinds.find((each) => each === text)
  if (kind === undefined)
    throw new Refusal(
      'validation_failed',
      `The kind of order must be one of ${orderKinds.join(', ')}, not ${JSON.stringify(text)}.`,
    )
  return kind
}

function timeOf(what: string, text: string | undefined): string | null {
  if (text === undefined) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new Refusal(
      'validation_failed',
      `${what} must be a time such as 2026-12-31T23:00:00Z, not ${JSON.stringify(text)}.`,
    )
  return time.toISOString()
}
