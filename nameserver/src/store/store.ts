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
  /** When the primary last confirmed it, in milliseconds since 1970, so that the time until expiry continues across a restart. */
  readonly contactAtMs: number
}

/** A zone as it was last saved. */
export interface StoredZone extends StoredHead {
  /** Whether it is stored name by name, and not as one row. */
  readonly isByName: boolean
  /** In canonical order. Iterate once, before the next zone. If the zone has a serial, its SOA comes first. */
  readonly owners: Iterable<Owner>
  /** Whether `owners` contained everything that was saved. Read this after the iteration. A zone that lost rows must not be served. */
  readonly isWhole: () => boolean
}

/** A zone on disk, without its records. */
export interface StoredForm extends Pick<StoredHead, 'origin' | 'label' | 'serial'>, Pick<StoredZone, 'isByName'> {}

/** A reader changes nothing, so that another process can be the writer. */
export type StoreRole = 'writer' | 'reader'

/**
 * One step of a batch. A batch is saved completely or not at all, so records and serial never disagree.
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

/** The file belongs to this program, but has content that it never wrote. */
export class StoreCorrupt extends Error {
  override readonly name = 'StoreCorrupt'
}

const layoutVersion = 2
// Each table is exactly one b-tree, so that loading reads, and so checks, every page. `names` and `digest` are the count and the sum
// of the checksums of a zone's rows in `names`; null: not known, as in a row that an earlier release wrote.
const layout = `
  create table zones (origin text primary key, label text, serial integer, contact_ms integer not null, packed blob,
    checksum integer not null, names integer, digest integer) without rowid;
  create table names (zone text not null, key blob not null, packed blob not null, checksum integer not null,
    primary key (zone, key)) without rowid;
  pragma user_version = ${layoutVersion}`

/** Earlier releases continue to work with the added columns. */
const addTallies = `
  alter table zones add column names integer;
  alter table zones add column digest integer;
  update zones set (names, digest) = (
    select count(*), coalesce(sum(checksum), 0) & 4294967295 from names where zone = origin) where packed is null`

/** How many rows a zone has, and the sum of their checksums. They show whether a row is lost. */
interface Tally {
  names: number
  digest: number
}

type StatementName =
  | 'putZone'
  | 'contact'
  | 'dropZone'
  | 'clear'
  | 'putName'
  | 'dropName'
  | 'checksum'
  | 'tally'
  | 'count'
  | 'putTally'

/**
 * The zones on disk (SQLite, WAL). One process writes at a time, which `WriterLock` ensures. Others may read. A crash may lose the last
 * moments, which the primary still has, but never half of a batch. Every row carries a checksum, and every zone the count and the digest of its rows.
 *
 * A small zone is one row, since reading a row costs more than reading its records; a large one has a row for each name,
 * so that a change writes only what it must.
 */
export class Store {
  readonly #db: DatabaseSync
  readonly #statements: Record<StatementName, StatementSync>

  /** @throws SQLite's errors if the file is locked, unreadable or broken; StoreCorrupt if the layout is unknown. */
  constructor(file: string, role: StoreRole = 'writer') {
    this.#db = new DatabaseSync(file, { timeout: 1000 })
    try {
      if (role === 'writer') this.#prepareFile()
      else this.#checkVersion()
      this.#statements = {
        putZone: this.#db.prepare(
          'insert or replace into zones (origin, label, serial, contact_ms, packed, checksum) values (?, ?, ?, ?, ?, ?)',
        ),
        contact: this.#db.prepare('update zones set contact_ms = ? where origin = ?'),
        dropZone: this.#db.prepare('delete from zones where origin = ?'),
        clear: this.#db.prepare('delete from names where zone = ?'),
        putName: this.#db.prepare('insert or replace into names (zone, key, packed, checksum) values (?, ?, ?, ?)'),
        dropName: this.#db.prepare('delete from names where zone = ? and key = ?'),
        checksum: this.#db.prepare('select checksum from names where zone = ? and key = ?'),
        tally: this.#db.prepare('select names, digest from zones where origin = ? and digest is not null'),
        count: this.#db.prepare(
          'select count(*) as names, coalesce(sum(checksum), 0) & 4294967295 as digest from names where zone = ?',
        ),
        putTally: this.#db.prepare('update zones set names = ?, digest = ? where origin = ?'),
      }
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  /**
   * Returns every zone as it is now, one after the other, and verifies it.
   *
   * @throws StoreCorrupt or SQLite's error at the first row that differs from what was written
   */
  *load(): Generator<StoredZone> {
    const zones = this.#db.prepare('select * from zones')
    const names = this.#db.prepare('select key, packed, checksum from names where zone = ? order by key')
    // One transaction: it does not see what another process writes in the meantime.
    this.#db.exec('begin')
    try {
      for (const { origin, label, serial, contact_ms: contactAtMs, packed, checksum, ...tally } of zones.iterate()) {
        if (typeof origin !== 'string' || !isDomainName(origin)) throw corrupt('a zone')
        if (typeof contactAtMs !== 'number' || (packed !== null && !(packed instanceof Uint8Array)))
          throw corrupt(origin)
        const head = {
          origin: origin as DomainName,
          label: typeof label === 'string' ? label : undefined,
          serial: typeof serial === 'number' ? serial : undefined,
          contactAtMs,
        }
        if (checksumOf(head, packed) !== checksum) throw corrupt(origin)
        if (packed === null) {
          const rows = new NameRows(head, names.iterate(origin), tally.names, tally.digest)
          yield { ...head, isByName: true, owners: rows, isWhole: () => rows.isWhole }
        } else {
          const owners = unpackOwners(packed)
          if (!owners || !hasSerial(head, owners[0])) throw corrupt(origin)
          yield { ...head, isByName: false, owners, isWhole: () => true }
        }
      }
    } finally {
      this.#db.exec('rollback')
    }
  }

  /** The current zones on disk. */
  forms(): StoredForm[] {
    const rows = this.#db.prepare('select origin, label, serial, packed is null as by_name from zones').all()
    return rows.map(({ origin, label, serial, by_name: isByName }) => ({
      origin: String(origin) as DomainName,
      label: typeof label === 'string' ? label : undefined,
      serial: typeof serial === 'number' ? serial : undefined,
      isByName: isByName === 1,
    }))
  }

  apply(batch: readonly StoreChange[]): void {
    const tallies = new Map<DomainName, Tally>()
    this.#db.exec('begin immediate')
    try {
      for (const change of batch) this.#applyOne(change, tallies)
      for (const [origin, { names, digest }] of tallies) this.#statements.putTally.run(names, digest, origin)
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
    this.#db.exec('pragma journal_mode = wal; pragma synchronous = normal')
    this.#db.exec('begin immediate')
    if (this.#version() === 0) this.#db.exec(layout)
    this.#checkVersion()
    const columns = this.#db.prepare('pragma table_info(zones)').all()
    if (!columns.some(({ name }) => name === 'digest')) this.#db.exec(addTallies)
    this.#db.exec('commit')
  }

  #checkVersion(): void {
    const version = this.#version()
    if (version !== layoutVersion) throw corrupt(`layout version ${version}`)
  }

  #version(): unknown {
    return this.#db.prepare('pragma user_version').get()?.user_version
  }

  #applyOne(change: StoreChange, tallies: Map<DomainName, Tally>): void {
    if (change.kind === 'whole') {
      const { head, packed } = change
      this.#putZone(head, packed)
      this.#statements.clear.run(head.origin)
      tallies.delete(head.origin)
    } else if (change.kind === 'large') {
      const { origin } = change.head
      if (change.isAnew) this.#statements.clear.run(origin)
      // Read before its row is replaced.
      const tally = change.isAnew ? { names: 0, digest: 0 } : this.#tallyOf(origin, tallies)
      this.#putZone(change.head, null)
      tallies.set(origin, tally)
    } else if (change.kind === 'contact') {
      this.#statements.contact.run(change.contactAtMs, change.origin)
    } else if (change.kind === 'name') {
      const { origin, key, packed } = change
      const checksum = crc32(packed, crc32(key))
      this.#replaceRow(origin, key, checksum, tallies)
      this.#statements.putName.run(origin, key, packed, checksum)
    } else if (change.kind === 'no_name') {
      this.#replaceRow(change.origin, change.key, undefined, tallies)
      this.#statements.dropName.run(change.origin, change.key)
    } else {
      this.#statements.clear.run(change.origin)
      this.#statements.dropZone.run(change.origin)
      tallies.delete(change.origin)
    }
  }

  #putZone(head: StoredHead, packed: Uint8Array | null): void {
    const { origin, label = null, serial = null, contactAtMs } = head
    this.#statements.putZone.run(origin, label, serial, contactAtMs, packed, checksumOf(head, packed))
  }

  /** Counts a row that is about to be inserted, replaced or (without a checksum) deleted. */
  #replaceRow(
    origin: DomainName,
    key: Uint8Array,
    checksum: number | undefined,
    tallies: Map<DomainName, Tally>,
  ): void {
    const tally = this.#tallyOf(origin, tallies)
    const before = this.#statements.checksum.get(origin, key)?.checksum
    if (typeof before === 'number') addRow(tally, -1, before)
    if (checksum !== undefined) addRow(tally, 1, checksum)
    tallies.set(origin, tally)
  }

  #tallyOf(origin: DomainName, tallies: ReadonlyMap<DomainName, Tally>): Tally {
    const known = tallies.get(origin)
    if (known) return known
    const { tally, count } = this.#statements
    const row = tally.get(origin) ?? count.get(origin)
    return { names: Number(row?.names), digest: Number(row?.digest) }
  }
}

/** The names of a zone that is stored by name. Can be iterated once. Throws if a row is corrupt. Afterwards, `isWhole` says whether rows are missing. */
class NameRows implements Iterable<Owner> {
  /** Known once all rows are read. */
  isWhole = false
  readonly #head: StoredHead
  readonly #rows: Iterable<Record<string, unknown>>
  readonly #names: unknown
  readonly #digest: unknown

  constructor(head: StoredHead, rows: Iterable<Record<string, unknown>>, names: unknown, digest: unknown) {
    this.#head = head
    this.#rows = rows
    this.#names = names
    this.#digest = digest
  }

  *[Symbol.iterator](): Generator<Owner> {
    const { origin } = this.#head
    const read: Tally = { names: 0, digest: 0 }
    for (const { key, packed, checksum } of this.#rows) {
      if (!(key instanceof Uint8Array) || !(packed instanceof Uint8Array)) throw corrupt(origin)
      if (typeof checksum !== 'number' || crc32(packed, crc32(key)) !== checksum) throw corrupt(origin)
      const [owner, ...others] = unpackOwners(packed) ?? []
      if (!owner || others.length > 0) throw corrupt(origin)
      // A zone without its apex is not a zone.
      if (read.names === 0 && !hasSerial(this.#head, owner)) return
      addRow(read, 1, checksum)
      yield owner
    }
    if (read.names === 0) return
    this.isWhole = this.#digest === null || (read.names === this.#names && read.digest === this.#digest)
  }
}

function addRow(tally: Tally, names: 1 | -1, checksum: number): void {
  tally.names += names
  tally.digest = (tally.digest + names * checksum) >>> 0
}

/** Whether the first name has the SOA, with the serial that is stored with the zone. */
function hasSerial({ serial }: StoredHead, first: Owner | undefined): boolean {
  if (serial === undefined) return true
  const soa = first?.rrsets.find(({ type }) => type === RrType.SOA)?.data[0]
  return soa !== undefined && soaTimes(soa).serial === serial
}

/** Does not compare the time of the last contact, which is written separately. */
function checksumOf({ origin, label, serial }: StoredHead, packed: Uint8Array | null): number {
  return crc32(packed ?? '', crc32(`${origin} ${label ?? ''} ${serial ?? ''}`))
}

function corrupt(what: string): StoreCorrupt {
  return new StoreCorrupt(`${what} is not as it was written`)
}
