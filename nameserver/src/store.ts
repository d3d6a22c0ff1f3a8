import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { type DomainName, isDomainName, type Rrset, RrType, soaFromRdata } from '@zonewright/dns'
import { unpackData } from './rdata-pack.ts'

/** A zone as it was last saved. No rrsets: a member of the catalog that was never transferred. */
export interface StoredZone {
  readonly origin: DomainName
  /** The member's unique label in the catalog (RFC 9432 §4.1); the catalog itself has none. */
  readonly label: string | undefined
  /** When the primary last vouched for it, milliseconds since 1970: expiry goes on over a restart. */
  readonly contactAtMs: number
  readonly rrsets: readonly Rrset[]
}

/** One step of a batch. All of a batch is saved or nothing, so records and serial never disagree. */
export type StoreChange =
  | {
      readonly kind: 'zone'
      origin: DomainName
      label: string | undefined
      serial: number | undefined
      contactAtMs: number
    }
  | { readonly kind: 'contact'; origin: DomainName; contactAtMs: number }
  | { readonly kind: 'clear'; origin: DomainName }
  | { readonly kind: 'rrset'; origin: DomainName; name: DomainName; type: number; ttl: number; data: Uint8Array }
  | { readonly kind: 'no_rrset'; origin: DomainName; name: DomainName; type: number }
  | { readonly kind: 'drop'; origin: DomainName }

/** The file is ours but says what we never wrote. */
export class StoreCorrupt extends Error {
  override readonly name = 'StoreCorrupt'
}

const layoutVersion = 1
// Each table is exactly one b-tree, so that loading reads, and so checks, every page.
const layout = `
  create table zones (id integer primary key, origin text not null, label text, serial integer, contact_ms integer not null);
  create table rrsets (zone integer not null, name text not null, type integer not null, ttl integer not null,
    data blob not null, checksum integer not null, primary key (zone, name, type)) without rowid;
  pragma user_version = ${layoutVersion}`

/**
 * The zones on disk (SQLite, WAL). One process at a time. A crash may lose the last moments, which the primary still
 * has, but never half of a batch; every rrset carries a checksum.
 */
export class Store {
  readonly #db: DatabaseSync
  readonly #ids = new Map<string, number | bigint>()
  readonly #statements: Record<
    'zone' | 'insertZone' | 'contact' | 'dropZone' | 'clear' | 'rrset' | 'noRrset',
    StatementSync
  >

  /** @throws SQLite's errors when the file is locked, unreadable or broken; StoreCorrupt for a layout not ours. */
  constructor(file: string) {
    this.#db = new DatabaseSync(file, { timeout: 1000 })
    try {
      this.#prepareFile()
      this.#statements = {
        zone: this.#db.prepare('update zones set label = ?, serial = ?, contact_ms = ? where id = ?'),
        insertZone: this.#db.prepare('insert into zones (origin, label, serial, contact_ms) values (?, ?, ?, ?)'),
        contact: this.#db.prepare('update zones set contact_ms = ? where id = ?'),
        dropZone: this.#db.prepare('delete from zones where id = ?'),
        clear: this.#db.prepare('delete from rrsets where zone = ?'),
        rrset: this.#db.prepare(
          'insert or replace into rrsets (zone, name, type, ttl, data, checksum) values (?, ?, ?, ?, ?, ?)',
        ),
        noRrset: this.#db.prepare('delete from rrsets where zone = ? and name = ? and type = ?'),
      }
      for (const row of this.#db.prepare('select id, origin from zones').iterate()) {
        this.#ids.set(String(row.origin), Number(row.id))
      }
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  /** Every zone, checked. @throws StoreCorrupt or SQLite's error when anything is not as it was written. */
  load(): StoredZone[] {
    const zones = new Map<number, StoredZone & { rrsets: Rrset[]; serial: number | undefined }>()
    for (const row of this.#db.prepare('select id, origin, label, serial, contact_ms from zones').iterate()) {
      const { id, origin, label, serial, contact_ms: contactAtMs } = row
      if (typeof id !== 'number' || typeof origin !== 'string' || !isDomainName(origin)) throw corrupt('a zone')
      if (typeof contactAtMs !== 'number') throw corrupt(origin)
      zones.set(id, {
        origin: origin as DomainName,
        label: typeof label === 'string' ? label : undefined,
        serial: typeof serial === 'number' ? serial : undefined,
        contactAtMs,
        rrsets: [],
      })
    }
    this.#loadRrsets((zone, rrset) => {
      const stored = zones.get(zone)
      if (!stored) throw corrupt('records of no zone')
      stored.rrsets.push(rrset)
    })
    for (const zone of zones.values()) checkSerial(zone)
    return [...zones.values()]
  }

  apply(batch: readonly StoreChange[]): void {
    this.#db.exec('begin immediate')
    try {
      for (const change of batch) this.#applyOne(change)
      this.#db.exec('commit')
    } catch (error) {
      this.#db.exec('rollback')
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

  #loadRrsets(found: (zone: number, rrset: Rrset) => void): void {
    const rows = this.#db.prepare('select zone, name, type, ttl, data, checksum from rrsets order by zone, name, type')
    for (const { zone, name, type, ttl, data, checksum } of rows.iterate()) {
      if (typeof zone !== 'number' || typeof name !== 'string') throw corrupt('a record')
      if (typeof type !== 'number' || typeof ttl !== 'number' || !(data instanceof Uint8Array)) throw corrupt(name)
      if (checksumOf(name, type, ttl, data) !== checksum) throw corrupt(name)
      const unpacked = unpackData(data)
      if (!unpacked || unpacked.length === 0) throw corrupt(name)
      // The checksum vouches for the brands: only parsed names and types are ever written.
      found(zone, { name: name as DomainName, type: type as RrType, ttl, data: unpacked })
    }
  }

  #applyOne(change: StoreChange): void {
    const id = this.#ids.get(change.origin)
    if (change.kind === 'zone') {
      const { origin, label = null, serial = null, contactAtMs } = change
      if (id !== undefined) this.#statements.zone.run(label, serial, contactAtMs, id)
      else this.#ids.set(origin, this.#statements.insertZone.run(origin, label, serial, contactAtMs).lastInsertRowid)
      return
    }
    if (id === undefined) return
    if (change.kind === 'contact') this.#statements.contact.run(change.contactAtMs, id)
    else if (change.kind === 'clear') this.#statements.clear.run(id)
    else if (change.kind === 'no_rrset') this.#statements.noRrset.run(id, change.name, change.type)
    else if (change.kind === 'rrset') {
      const { name, type, ttl, data } = change
      this.#statements.rrset.run(id, name, type, ttl, data, checksumOf(name, type, ttl, data))
    } else {
      this.#statements.clear.run(id)
      this.#statements.dropZone.run(id)
      this.#ids.delete(change.origin)
    }
  }
}

function checkSerial(zone: StoredZone & { serial: number | undefined }): void {
  const soa = zone.rrsets.find((rrset) => rrset.type === RrType.SOA && rrset.name === zone.origin)?.data[0]
  if (zone.serial === undefined && zone.rrsets.length === 0) return
  if (!soa || soaFromRdata(soa).serial !== zone.serial) throw corrupt(zone.origin)
}

function checksumOf(name: string, type: number, ttl: number, data: Uint8Array): number {
  return crc32(data, crc32(`${name} ${type} ${ttl}`))
}

function corrupt(what: string): StoreCorrupt {
  return new StoreCorrupt(`${what} is not as it was written`)
}
