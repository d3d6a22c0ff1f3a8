import { listText } from './lists.ts'
import { timeText } from './times.ts'

/** The data about a key in an email to its owner. */
export interface ToldKey {
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

/** What a key is, and what it may do. */
export function keyFacts(key: ToldKey): [name: string, value: string][] {
  const { name, hint, zones, permissions, limits, addresses, expiresAt } = key
  return [
    ['Name', name],
    ['Ends in', hint],
    [
      'Covers',
      zones === 'all'
        ? 'all zones and domains of your account, including future ones'
        : listText(zones.map((entry) => `${entry.name} (${entry.kind})`)),
    ],
    ['Permissions', permissions.join(', ')],
    ...(limits === null ? [] : [['Limited to', listText(limits.map(limitText))] as [string, string]]),
    ...(addresses === null ? [] : [['Usable from', listText(addresses)] as [string, string]]),
    ['Expires', expiresAt === null ? 'never' : timeText(expiresAt)],
  ]
}

function limitText({ zone, names, types }: NonNullable<ToldKey['limits']>[number]): string {
  return `${listText(names)} in ${zone} (${listText(types)})`
}
