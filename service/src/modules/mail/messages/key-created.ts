import { listText } from './lists.ts'
import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

export interface CreatedKey {
  readonly name: string
  /** The secret's last four characters, the only part that may be shown. */
  readonly hint: string
  /** The zones and domains that it covers, or all that the account owns. */
  readonly zones: 'all' | readonly { readonly name: string; readonly kind: string }[]
  readonly permissions: readonly string[]
  /** The record sets of its zones that it is limited to. Null: it has no limits. */
  readonly limits:
    | readonly { readonly zone: string; readonly names: readonly string[]; readonly types: readonly string[] }[]
    | null
  /** The networks from which it can be used. Null: any. */
  readonly addresses: readonly string[] | null
  /** Null: never. */
  readonly expiresAt: Date | null
}

/** Says that there is a new API key, and what it may do. */
export function keyCreated(about: { site: string; key: CreatedKey; at: Date; from: string }): Message {
  const { name, hint, zones, permissions, limits, addresses, expiresAt } = about.key
  return compose({
    kind: 'key_created',
    subject: `API key “${name}” was created`,
    blocks: [
      'Programs with this key can act on your behalf.',
      {
        facts: [
          ['Name', name],
          ['Ends in', hint],
          [
            'Covers',
            zones === 'all'
              ? 'all zones and domains of your account, including future ones'
              : listText(zones.map((entry) => `${entry.name} (${entry.kind})`)),
          ],
          ['Permissions', permissions.join(', ')],
          ...(limits === null ? [] : [['Limited to', listText(limits.map(limitText))] as const]),
          ...(addresses === null ? [] : [['Usable from', listText(addresses)] as const]),
          ['Expires', expiresAt === null ? 'never' : timeText(expiresAt)],
          ['Created', `${timeText(about.at)}, from ${about.from}`],
        ],
      },
      'If this was not you, revoke the key now and choose a new password.',
      { label: 'Your API keys', href: pages.apiKeys(about.site) },
    ],
  })
}

function limitText({ zone, names, types }: NonNullable<CreatedKey['limits']>[number]): string {
  return `${listText(names)} in ${zone} (${listText(types)})`
}
