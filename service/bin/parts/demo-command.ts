import { readFile } from 'node:fs/promises'
import { permissions } from '@zonewright/contract'
import { accountMailsOf, authOf, noProviders } from '#compose/auth.ts'
import { zonePartsOf } from '#compose/zone-parts.ts'
import { accountByEmail, createAccount, fromBase32 } from '#modules/accounts/index.ts'
import { createKey, createTsig, revokeKeyNamed, tsigNameOf } from '#modules/api-keys/index.ts'
import { addLiveZone, catalogName, liveZoneNamed } from '#modules/zones/index.ts'
import type { Command } from './admin-command.ts'

/** The command with which the sandbox prepares its demo account. */
export const demoCommand: Readonly<Record<string, Command>> = {
  demo: {
    usage: 'demo EMAIL ZONE SECRETS',
    summary:
      'for the sandbox: create the demo account and zone if they are missing, and replace the all-zones key; ' +
      'SECRETS is a JSON file with the password and the totp_secret of the account',
    run: async (tx, actor, [email = '', zoneName = '', secrets = ''], platform) => {
      const account = (await accountByEmail(tx, email)) ?? (await createAccount(tx, actor, { email, name: 'Demo' }))
      const given = JSON.parse(await readFile(secrets, 'utf8')) as { password: string; totp_secret: string }
      const auth = authOf(platform, accountMailsOf(platform), { providers: noProviders })
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
      const tsig = await createTsig(tx, platform.secrets, actor, { accountId: account.id, keyId: key.id })
      return {
        api_key: key.secret,
        tsig: { name: tsigNameOf(key.id), algorithm: 'hmac-sha256', secret: tsig.secret },
        zone_id: zone.id,
      }
    },
  },
}
