import { shownOwner, shownRecord } from './check-rrset.ts'
import { isolated } from './shown-name.ts'
import { inUnits } from './time.ts'

/** The state of a record set before or after a change; null: there was none. */
type Side = { readonly ttl: number | null; readonly records: readonly string[] } | null

/** How one record set changed. */
interface RrsetMove {
  readonly name: string
  readonly type: string
  readonly before: Side
  readonly after: Side
}

/** The number of characters that are shown of a value. */
const mostCharacters = 60

/** What a change did to a record set, as the rest of a sentence about its actor: `changed the TTL of www A from 1 h to 5 min`. */
export function changeWords({ name, type, before, after }: RrsetMove, zone: string): string {
  const rrset = `${isolated(shownOwner(name, zone))} ${type}`
  const values = (records: readonly string[]): string =>
    records.length === 1 ? isolated(cutMiddle(shownRecord(type, records[0] ?? ''))) : `${records.length} values`
  if (before === null)
    return after === null ? `did not change ${rrset}` : `added ${rrset} with ${values(after.records)}`
  if (after === null) return `deleted ${rrset} with ${values(before.records)}`
  const added = without(after.records, before.records)
  const removed = without(before.records, after.records)
  const ttl = before.ttl === after.ttl ? undefined : `from ${ttlWords(before.ttl)} to ${ttlWords(after.ttl)}`
  if (added.length + removed.length === 0) return `changed the TTL of ${rrset} ${ttl ?? ''}`.trimEnd()
  const also = ttl === undefined ? '' : `, and changed its TTL ${ttl}`
  if (removed.length === 0) return `added ${values(added)} to ${rrset}${also}`
  if (added.length === 0) return `removed ${values(removed)} from ${rrset}${also}`
  return `changed ${rrset} from ${values(removed)} to ${values(added)}${also}`
}

function without(all: readonly string[], some: readonly string[]): string[] {
  return all.filter((each) => !some.includes(each))
}

function ttlWords(ttl: number | null): string {
  return ttl === null ? 'an unknown value' : inUnits(ttl)
}

/** A text with its middle left out if it is long. */
function cutMiddle(text: string): string {
  const characters = [...text]
  if (characters.length <= mostCharacters) return text
  const half = mostCharacters / 2 - 1
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`
}
