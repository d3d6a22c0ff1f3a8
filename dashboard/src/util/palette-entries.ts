import { paths } from './paths.ts'

/** The icons of `ui/icons.tsx` that the entries have. */
type PaletteIcon =
  | 'account'
  | 'audit'
  | 'book'
  | 'check'
  | 'domain'
  | 'edit'
  | 'key'
  | 'order'
  | 'outside'
  | 'plug'
  | 'plus'
  | 'search'
  | 'trash'
  | 'undo'
  | 'warning'
  | 'webhook'
  | 'zones'

/** A link to a page of the dashboard. */
export type PaletteLink = Exclude<
  ReturnType<Extract<(typeof paths)[keyof typeof paths], (...args: never[]) => unknown>>,
  string
>

/** A page or an action that the palette offers. */
export interface PaletteEntry {
  readonly title: string
  /** Other words that people type for it. */
  readonly words: string
  readonly kind: 'page' | 'action'
  readonly icon: PaletteIcon
  /** A path is that of a page outside the dashboard. */
  readonly to: PaletteLink | string
}

const entry = (
  kind: PaletteEntry['kind'],
  icon: PaletteIcon,
  title: string,
  words: string,
  to: PaletteLink | string,
): PaletteEntry => ({
  ...{ kind, icon, title, words, to },
})

const always: readonly PaletteEntry[] = [
  entry('page', 'zones', 'Zones', 'dns home', paths.zones()),
  entry('page', 'domain', 'Domains', 'registered names expiry renew', paths.domains()),
  entry('page', 'search', 'Buy a domain', 'register search availability price transfer', paths.buy()),
  entry('page', 'order', 'Orders', 'receipts payments purchases', paths.orders()),
  entry('page', 'key', 'API keys', 'tokens secrets permissions', paths.keys()),
  entry('page', 'plug', 'Connect a client', 'certbot lego ddclient terraform dynamic dns', paths.connectClient()),
  entry('page', 'webhook', 'Webhooks', 'endpoints deliveries events', paths.webhooks()),
  entry('page', 'audit', 'Audit log', 'history who changed activity', paths.audit()),
  entry('page', 'account', 'Account', 'profile password email two-factor sessions settings', paths.account()),
  entry('page', 'account', 'Contacts', 'registrant people', paths.contacts()),
  entry('page', 'order', 'Credit', 'balance ledger money', paths.credit()),
  entry('page', 'trash', 'Deleted zones', 'restore undelete', paths.deletedZones()),
  entry('page', 'book', 'Documentation', 'docs help guide', paths.docs()),
  entry('page', 'book', 'API reference', 'docs documentation openapi', paths.reference),
  entry('action', 'plus', 'Add a zone', 'new domain create bring free subdomain claim', paths.addZone()),
  entry('action', 'plus', 'Add many zones', 'new domains bulk list paste', paths.addZones()),
  entry('action', 'edit', 'Replace a value', 'change address bulk all zones', paths.replaceValue()),
]

/** The same for the zone whose page is open. */
const ofZone = (zone: string): readonly PaletteEntry[] => [
  entry('action', 'plus', 'Add records', 'new create a aaaa mx txt cname', paths.addRecord(zone)),
  entry('page', 'zones', 'Records of this zone', 'dns', paths.zone(zone)),
  entry('page', 'outside', 'Import and export', 'zone file bind upload download', paths.importZone(zone)),
  entry('page', 'check', 'Presets', 'set up a service mail website', paths.presets(zone)),
  entry('page', 'undo', 'History', 'versions restore diff', paths.history(zone)),
  entry('page', 'warning', 'Health', 'checklist delegation propagation', paths.health(zone)),
  entry('page', 'zones', 'Secondaries', 'secondary nameservers transfer axfr notify', paths.secondaries(zone)),
  entry('page', 'account', 'Sharing', 'managers invite people', paths.sharing(zone)),
  entry('page', 'edit', 'Zone settings', 'delete comment labels', paths.zoneSettings(zone)),
]

/**
 * Pages and actions whose title or words have, for each word of the text, one that begins with it. Those whose title begins with the text come
 * first. `zone`: of the page that is open.
 */
export function paletteEntries(text: string, zone: string | undefined): PaletteEntry[] {
  const typed = wordsOf(text)
  const all = [...(zone === undefined ? [] : ofZone(zone)), ...always]
  const found = all.filter(({ title, words }) => {
    const own = wordsOf(`${title} ${words}`)
    return typed.every((word) => own.some((one) => one.startsWith(word)))
  })
  const begins = ({ title }: PaletteEntry): boolean => title.toLowerCase().startsWith(text.trim().toLowerCase())
  return [...found.filter(begins), ...found.filter((one) => !begins(one))]
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}
