import { readEmail } from '@zonewright/contract'
import { queueMail, testMail } from '#modules/mail/index.ts'
import { restoreSerials } from '#modules/publication/index.ts'
import { Refusal } from '#platform/errors.ts'
import { tsigSealingKey } from '#platform/secrets.ts'
import type { Command } from './admin-command.ts'

/** Operator commands for the whole installation. */
export const installationCommands: Readonly<Record<string, Command>> = {
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
  'door-key': {
    usage: 'door-key',
    summary: 'print the DOOR_KEY that belongs to SECRET_KEY, for a DNS door that is not to know SECRET_KEY',
    run: async (_tx, _actor, _args, { configuration }) => ({
      door_key: tsigSealingKey(configuration.secretKey).toString('base64'),
    }),
  },
  'restore-serials': {
    usage: 'restore-serials',
    summary: 'after a restore from a backup: move all serials ahead of those that the nameservers have',
    run: async (tx, actor) => {
      const { zones, catalogSerial } = await restoreSerials(tx, actor)
      return { zones, catalog_serial: catalogSerial }
    },
  },
}
