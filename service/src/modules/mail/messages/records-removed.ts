import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** The records that were removed from one zone. */
interface RemovedFrom {
  readonly zone: string
  readonly version: number
  readonly rrsetCount: number
  /** The first of the removed rrsets. */
  readonly rrsets: readonly { readonly name: string; readonly type: string }[]
}

const mostZones = 20

/**
 * Says which records the service removed because customers may no longer write them, and why.
 *
 * `signing` are the removed types that only the signer of a zone may write, `invalid` those whose data was not valid for the type.
 */
export function recordsRemoved(about: {
  site: string
  zones: readonly RemovedFrom[]
  signing: readonly string[]
  invalid: readonly string[]
}): Message {
  const { site, zones, signing, invalid } = about
  const [first] = zones
  const isOne = zones.length === 1 && first !== undefined
  const left = zones.length - mostZones
  return compose({
    kind: 'records_removed',
    subject: isOne ? `We removed records from ${first.zone}` : `We removed records from ${zones.length} of your zones`,
    blocks: [
      'We removed records that a zone hosted here cannot contain. All other records are unchanged.',
      {
        facts: [
          ...zones.slice(0, mostZones).map((zone) => [zone.zone, contentText(zone)] as const),
          ...(left > 0 ? ([['And', moreText(left, 'zone')]] as const) : []),
        ],
      },
      ...(signing.length > 0
        ? [
            `${signing.join(', ')}: the signer of a zone creates these records. Copies from another provider are wrong here, and other nameservers may refuse the zone because of them. When the service signs a zone, it creates its own.`,
          ]
        : []),
      ...(invalid.length > 0
        ? [
            `${invalid.join(', ')}: the data was not valid for the record type. Nameservers that know the type refuse the whole zone because of it. If you need the records, add them again with valid data.`,
          ]
        : []),
      'The history of each zone shows what the version removed. You do not need to do anything.',
      isOne
        ? { label: 'Open the zone', href: pages.zone(site, first.zone) }
        : { label: 'Your zones', href: pages.zones(site) },
    ],
  })
}

function contentText({ version, rrsetCount, rrsets }: RemovedFrom): string {
  const left = rrsetCount - rrsets.length
  const names = rrsets.map(({ name, type }) => `${name} ${type}`).join(', ')
  return `${names}${left > 0 ? ` and ${moreText(left, 'record set')}` : ''} (version ${version})`
}

function moreText(count: number, thing: string): string {
  return count === 1 ? `one more ${thing}` : `${count} more ${thing}s`
}
