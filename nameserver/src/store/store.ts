import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { type DomainName, isDomainName, RrType } from '@zonewright/dns'
import { soaTimes } from '../secondary/soa-times.ts'
import type { Owner } from '../tables/owners.ts'
import { unpackOwners } from './pack-owners.ts'

/** The stored fields of a zone besides its records. */
export interface StoredHead {
  readonly origin: DomainName
  /** The member's unique label in the catalog (RFC 9432 §4.1); the catalog itself has none. */
  readonly label: string | undefined
  /** `undefined` for a member of the catalog that was never transferred. */
  readonly serial: number | undefined
  /** When the primary last vouched for it, milliseconds since 1970: expiry goes on over a restart. */
  readonly contactAtMs: number
}

/** A zone as it was last saved. */
export interface StoredZone extends StoredHead {
  /** Whether it is kept name by name, and not as one row. */
  readonly isByName: boolean
  /** In canonical order; to be gone through once, before the next zone. A zone with a serial has its SOA first. */
  readonly owners: Iterable<Owner>
}

/**
 * One step of a batch. All of a batch is saved or nothing, so records and serial never disagree.
 *
 * `whole` is a zone with all its names packed, `large` the head of one whose names follow one by one, with the keys of
 * `canonicalKey`.
 */
export type StoreChange =
  | { readonly kind: 'whole'; readonly head: StoredHead; readonly packed: Uint8Array }
  | { readonly kind: 'large'; readonly head: StoredHead; readonly isAnew: boolean }
  | { readonly kind: 'name'; origin: DomainName; readonly key: Uint8Array; readonly packed: Uint8Array }
  | { readonly kind: 'no_name'; origin: DomainName; readonly key: Uint8Array }
  | { readonly kind: 'contact'; origin: DomainName; contactAtMs: number }
  | { readonly kind: 'drop'; origin: DomainName }

/** The file is ours but says what we never wrote. */
export class StoreCorrupt extends Error {
  override readonly name = 'StoreCorrupt'
}

const layoutVersion = 2
// Each table is exactly one b-tree, so that loading reads, and so checks, every page.
const layout = `
  create table zones (origin text primary key, label text, serial integer, contact_ms integer not null, packed blob,
    checksum integer not null) without rowid;
  create table names (zone text not null, key blob not null, packed blob not null, checksum integer not null,
    primary key (zone, key)) without rowid;
  pragma user_version = ${layoutVersion}`

type StatementName = 'putZone' | 'contact' | 'dropZone' | 'clear' | 'putName' | 'dropName'

/**
 * The zones on disk (SQLite, WAL). One process at a time. A crash may lose the last moments, which the primary still
 * has, but never half of a batch; every row carries a checksum.
 *
 * A small zone is one row, since reading a row costs more than reading its records; a large one has a row for each name,
 * so that a change writes only what it must.
 */
export class Store {
  readonly #db: DatabaseSync
  readonly #statements: Record<StatementName, StatementSync>

  /** @throws SQLite's errors when the file is locked, unreadable or broken; StoreCorrupt for a layout not ours. */
  constructor(file: string) {
    this.#db = new DatabaseSync(file, { timeout: 1000 })
    try {
      this.#prepareFile()
      this.#statements = {
        putZone: this.#db.prepare(
          'insert or replace into zones (origin, label, serial, contact_ms, packed, checksum) values (?, ?, ?, ?, ?, ?)',
        ),
        contact: this.#db.prepare('update zones set contact_ms = ? where origin = ?'),
        dropZone: this.#db.prepare('delete from zones where origin = ?'),
        clear: this.#db.prepare('delete from names where zone = ?'),
        putName: this.#db.prepare('insert or replace into names (zone, key, packed, checksum) values (?, ?, ?, ?)'),
        dropName: this.#db.prepare('delete from names where zone = ? and key = ?'),
      }
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  /** Every zone, one after the other, checked. @throws StoreCorrupt or SQLite's error at the first that is not whole. */
  *load(): Generator<StoredZone> {
    const zones = this.#db.prepare('select origin, label, serial, contact_ms, packed, checksum from zones')
    const names = this.#db.prepare('select key, packed, checksum from names where zone = ? order by key')
    const read = { names: 0 }
    for (const { origin, label, serial, contact_ms: contactAtMs, packed, checksum } of zones.iterate()) {
      if (typeof origin !== 'string' || !isDomainName(origin)) throw corrupt('a zone')
      if (typeof contactAtMs !== 'number' || (packed !== null && !(packed instanceof Uint8Array))) throw corrupt(origin)
      const head = {
        origin: origin as DomainName,
        label: typeof label === 'string' ? label : undefined,
        serial: typeof serial === 'number' ? serial : undefined,
        contactAtMs,
      }
      if (checksumOf(head, packed) !== checksum) throw corrupt(origin)
      const isByName = packed === null
      const owners = isByName ? readNames(origin, names.iterate(origin), read) : unpackOwners(packed)
      if (!owners) throw corrupt(origin)
      yield { ...head, isByName, owners: checkedSerial(head, owners) }
    }
    if (this.#db.prepare('select count(*) as n from names').get()?.n !== read.names) throw corrupt('names of no zone')
  }

  apply(batch: readonly StoreChange[]): void {
    this.#db.exec('begin immediate')
    try {
      for (const change of batch) this.#applyOne(change)
      this.#db.exec('commit')
    } catch (error) {
      // Without space, or if the disk fails, SQLite has already rolled back.
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw error
    }
  }

  close(): void {
    this.#db.close()
  }

  #prepareFile(): void {
    this.#db.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal')
    this.#db.exec('begin immediate')
    const version = this.#db.prepare('pragma user_version').get()?.user_version
    if (version === 0) this.#db.exec(layout)
    else if (version !== layoutVersion) throw corrupt(`layout version ${version}`)
    this.#db.exec('commit')
  }

  #applyOne(change: StoreChange): void {
    if (change.kind === 'whole' || change.kind === 'large') {
      const packed = change.kind === 'whole' ? change.packed : null
      const { origin, label = null, serial = null, contactAtMs } = change.head
      this.#statements.putZone.run(origin, label, serial, contactAtMs, packed, checksumOf(change.head, packed))
      if (change.kind === 'whole' || change.isAnew) this.#statements.clear.run(origin)
    } else if (change.kind === 'contact') {
      this.#statements.contact.run(change.contactAtMs, change.origin)
    } else if (change.kind === 'name') {
      const { origin, key, packed } = change
      this.#statements.putName.run(origin, key, packed, crc32(packed, crc32(key)))
    } else if (change.kind === 'no_name') {
      this.#statements.dropName.run(change.origin, change.key)
    } else {
      this.#statements.clear.run(change.origin)
      this.#statements.dropZone.run(change.origin)
    }
  }
}

function* readNames(
  origin: string,
  rows: Iterable<Record<string, unknown>>,
  read: { names: number },
): Generator<Owner> {
  for (const { key, packed, checksum } of rows) {
    if (!(key instanceof Uint8Array) || !(packed instanceof Uint8Array)) throw corrupt(origin)
    if (crc32(packed, crc32(key)) !== checksum) throw corrupt(origin)
    const [owner, ...others] = unpackOwners(packed) ?? []
    if (!owner || others.length > 0) throw corrupt(origin)
    read.names++
    yield owner
  }
}

/** Passes the names on, and checks that the first record is the SOA, with the serial that is stored with them. */
function* checkedSerial({ origin, serial }: StoredHead, owners: Iterable<Owner>): Generator<Owner> {
  let isChecked = serial === undefined
  for (const owner of owners) {
    if (!isChecked) {
      const soa = owner.rrsets.find(({ type }) => type === RrType.SOA)?.data[0]
      if (!soa || soaTimes(soa).serial !== serial) throw corrupt(origin)
      isChecked = true
    }
    yield owner
  }
  if (!isChecked) throw corrupt(origin)
}

/** The time of contact is left out: it is written alone. */
function checksumOf({ origin, label, serial }: StoredHead, packed: Uint8Array | null): number {
  return crc32(packed ?? '', crc32(`${origin} ${label ?? ''} ${serial ?? ''}`))
}

function corrupt(what: string): StoreCorrupt {
  return new StoreCorrupt(`${what} is not as it was written`)
}
