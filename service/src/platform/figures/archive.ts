import { type Db, sql } from '../postgres/index.ts'

/**
 * A query of one row at most: since when (`since`) PostgreSQL has failed to archive its log. No row for a server that does not archive its log
 * itself, because a managed one may use another method.
 */
export const unarchivedSince = `select coalesce(last_archived_time, stats_reset, last_failed_time) as since from pg_stat_archiver
  where current_setting('archive_mode') <> 'off' and last_failed_time > coalesce(last_archived_time, '-infinity')`

const archive = {
  zonewright_log_unarchived_seconds:
    'How long PostgreSQL has been failing to archive its write-ahead log (WAL). Changes since then cannot be restored from the backups. 0 if archiving works or is off.',
}

/** The metrics about the archive of PostgreSQL's log. */
export const archiveFigures = { helps: archive, read: readArchive }

async function readArchive(db: Db) {
  const { rows } = await sql<Record<keyof typeof archive, number>>`
    select ${sql.ageS(sql`(${sql.raw(unarchivedSince)})`)} as zonewright_log_unarchived_seconds`.execute(db)
  return rows[0]
}
