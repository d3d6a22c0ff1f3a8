import type { WireSearchResult } from '@zonewright/contract'
import { type PaletteEntry, type PaletteLink, paletteEntries } from './palette-entries.ts'
import { paths } from './paths.ts'

type Found<Kind extends keyof WireSearchResult> =
  NonNullable<WireSearchResult[Kind]> extends { data: (infer T)[] } ? T : never

/** What a line of the palette shows. */
export type PaletteLine =
  | { readonly of: 'entry'; readonly entry: PaletteEntry }
  | { readonly of: 'zone'; readonly zone: Found<'zones'> }
  | { readonly of: 'record'; readonly record: Found<'records'> }
  | { readonly of: 'domain'; readonly domain: Found<'domains'> }
  | { readonly of: 'order'; readonly order: Found<'orders'> }
  | { readonly of: 'key'; readonly key: Found<'keys'> }

/** One line of the palette, and where it leads. */
export interface PaletteOption {
  /** Unique among the options. */
  readonly id: string
  readonly line: PaletteLine
  /** A path is that of a page outside the dashboard. */
  readonly to: PaletteLink | string
}

/** Options under one heading. */
export interface PaletteGroup {
  readonly heading: string
  readonly options: readonly PaletteOption[]
  /** More than these match. */
  readonly hasMore: boolean
}

/** The maximum number of options of a kind. More do not fit on a screen. */
const most = 8

/**
 * The groups of the palette for a text. Pages and actions come first: they are available immediately, and do not move when the service answers.
 * `found`: what the service has found, if it has answered.
 */
export function paletteGroups(
  text: string,
  { zone, found }: { readonly zone: string | undefined; readonly found: WireSearchResult | undefined },
): PaletteGroup[] {
  const entries = paletteEntries(text, zone)
  const ofKind = (kind: PaletteEntry['kind']) =>
    entries
      .filter((entry) => entry.kind === kind)
      .map((entry): PaletteOption => {
        return { id: `${kind} ${entry.title}`, line: { of: 'entry', entry }, to: entry.to }
      })
  return [
    { heading: 'Actions', options: ofKind('action'), hasMore: false },
    { heading: 'Pages', options: ofKind('page'), hasMore: false },
    group('Zones', found?.zones, (zone) => ({
      id: `zone ${zone.id}`,
      line: { of: 'zone', zone },
      to: paths.zone(refOf(zone)),
    })),
    group('Records', found?.records, (record) => ({
      id: `record ${record.zone.id} ${record.name} ${record.type}`,
      line: { of: 'record', record },
      to: paths.record(refOf(record.zone), record.name, record.type),
    })),
    group('Domains', found?.domains, (domain) => ({
      id: `domain ${domain.name}`,
      line: { of: 'domain', domain },
      to: paths.domain(domain.name),
    })),
    group('Orders', found?.orders, (order) => ({
      id: `order ${order.id}`,
      line: { of: 'order', order },
      to: paths.order(order.id),
    })),
    group('API keys', found?.keys, (key) => ({
      id: `key ${key.id}`,
      line: { of: 'key', key },
      to: paths.keys(key.id),
    })),
  ].filter(({ options }) => options.length > 0)
}

function group<T>(
  heading: string,
  found: { readonly data: readonly T[]; readonly has_more: boolean } | null | undefined,
  optionOf: (hit: T) => PaletteOption,
): PaletteGroup {
  const hits = found?.data ?? []
  return {
    heading,
    options: hits.slice(0, most).map(optionOf),
    hasMore: found?.has_more === true || hits.length > most,
  }
}

/** How the path of a page names a zone: another zone may have the name of a pending one. */
function refOf({ id, name, state }: { readonly id: string; readonly name: string; readonly state: string }): string {
  return state === 'live' ? name : id
}
