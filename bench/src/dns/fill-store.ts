import { nameToWire, parseName, RrType } from '@zonewright/dns'
import { canonicalKey, packOwners } from '../../../nameserver/src/store/pack-owners.ts'
import { Store, type StoreChange, type StoredHead } from '../../../nameserver/src/store/store.ts'
import type { Owner } from '../../../nameserver/src/tables/owners.ts'

/** A zone of the store, read as a whole. */
interface ReadZone {
  readonly head: StoredHead
  readonly owners: readonly Owner[]
}

/**
 * Writes zones into the store of a stopped nameserver, as if it had transferred them: each with the apex of the template, an address `www`, and
 * an entry in the catalog under its first label.
 */
export function fillStore(file: string, template: string, zones: readonly string[]): void {
  const store = new Store(file)
  try {
    const held = [...store.load()].map((zone): ReadZone => ({ head: headOf(zone), owners: [...zone.owners] }))
    const first = held.find(({ head }) => head.origin === parseName(`${template}.`))
    const catalog = held.find(({ head }) => head.label === undefined)
    const apex = first?.owners[0]
    if (first === undefined || catalog === undefined || apex === undefined) {
      throw new Error(`${file} does not have ${template} and the catalog`)
    }
    store.apply(zones.map((zone) => wholeZone(zone, first.head, apex)))
    store.apply([...catalogWith(catalog, zones)])
  } finally {
    store.close()
  }
}

function headOf({ origin, label, serial, contactAtMs }: StoredHead): StoredHead {
  return { origin, label, serial, contactAtMs }
}

function wholeZone(zone: string, { serial, contactAtMs }: StoredHead, apex: Owner): StoreChange {
  const origin = parseName(`${zone}.`)
  const [label = ''] = zone.split('.')
  const address = { type: RrType.A, ttl: 300, data: [Uint8Array.of(192, 0, 2, 1)] }
  const owners = [
    { name: nameToWire(origin), rrsets: apex.rrsets },
    { name: nameToWire(parseName('www', origin)), rrsets: [address] },
  ]
  return { kind: 'whole', head: { origin, label, serial, contactAtMs }, packed: packOwners(owners) }
}

/** The current catalog with these additional members. */
function* catalogWith({ head, owners }: ReadZone, zones: readonly string[]): Generator<StoreChange> {
  yield { kind: 'large', head, isAnew: true }
  for (const owner of owners) yield nameChange(head, owner)
  for (const zone of zones) {
    const [label] = zone.split('.')
    const name = nameToWire(parseName(`${label}.zones`, head.origin))
    const data = [nameToWire(parseName(`${zone}.`))]
    yield nameChange(head, { name, rrsets: [{ type: RrType.PTR, ttl: 0, data }] })
  }
}

function nameChange({ origin }: StoredHead, owner: Owner): StoreChange {
  return { kind: 'name', origin, key: canonicalKey(owner.name), packed: packOwners([owner]) }
}
