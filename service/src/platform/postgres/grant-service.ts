import pg from 'pg'
import { CannotStart } from '../cannot-start.ts'

/**
 * Grants a role the rights that `api`, `worker` and `primary` need: reading and writing rows, and owning the tables of pg-boss.
 *
 * pg-boss creates and migrates its tables as the role of the worker. If another role has created them, the schema is dropped, and the next worker
 * that starts creates it again and schedules the recurring jobs, which is all that it contained. To transfer the tables instead, the owner of the
 * schema would have to be a member of the service's role.
 *
 * The role cannot change the schema, and cannot change or remove rows of append-only tables (those with the trigger function `refuse_change`). It
 * reaches partitions only through their parents. Functions that run as the owner of the schema create and drop them. The owner calls this after each
 * migration.
 */
export async function grantService(client: pg.Client, role: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
  if (rowCount === 0) throw new CannotStart(`DATABASE_ROLE: the role ${JSON.stringify(role)} does not exist.`)
  // One statement text, one transaction.
  if (await hasForeignJobs(client, role)) await client.query('drop schema pgboss cascade; create schema pgboss')
  const { rows } = await client.query<{ statement: string }>(
    `select format('grant %s on %s %s to %I', array_to_string(privileges, ', '), kind, name, $1::text) as statement
    from (${rights}) r`,
    [role],
  )
  for (const { statement } of rows) await client.query(statement)
}

/**
 * Grants a role the rights of a DNS door in a separate process: finding keys and zones, and changing records. The only sealed column that it can read
 * is that of the TSIG secrets. It sees neither email addresses nor sessions.
 */
export async function grantDoor(client: pg.Client, role: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
  if (rowCount === 0) throw new CannotStart(`DATABASE_DOOR_ROLE: the role ${JSON.stringify(role)} does not exist.`)
  const grantee = pg.escapeIdentifier(role)
  await client.query(
    `grant usage on schema public to ${grantee}; grant usage on all sequences in schema public to ${grantee}`,
  )
  for (const [privileges, tables] of Object.entries(doorRights))
    for (const table of tables) await client.query(`grant ${privileges} on ${table} to ${grantee}`)
}

/** The rights of a DNS door. `select for …` requires the right to update a column. Each entry has at most one right with a list of columns. */
const doorRights: Readonly<Record<string, readonly string[]>> = {
  select: [
    'schema_migrations',
    'api_keys',
    'api_key_zones',
    'api_key_tsig',
    'zone_managers',
    'nameservers',
    'former_nameservers',
    'zone_sightings',
    'serial_clock',
  ],
  'select (id, deleted_at, updates_per_minute, daily_change_bytes)': ['accounts'],
  'update (last_used_at, last_used_ip)': ['api_keys'],
  'select (zone_id, address, key_id, read_at, active_until)': ['zone_secondaries'],
  'update (read_at, active_until)': ['zone_secondaries'],
  'select, update': ['zones'],
  'select, insert': ['zone_changes', 'zone_journal', 'audit_log', 'update_answers', 'alias_targets'],
  'update (due_at)': ['alias_targets'],
  'select, insert, update': ['api_key_windows', 'account_change_bytes', 'event_outbox'],
  'select, insert, update, delete': ['zone_rrsets', 'zone_aliases'],
}

/** The tables of which a role lacks a right that `grantDoor` gives. */
export async function lacksOfDoor(client: pg.Client, role: string): Promise<string[]> {
  const needed = Object.entries(doorRights).flatMap(([privileges, tables]) => {
    const [, names = '', columns = ''] = /^(.*?)(?: \((.*)\))?$/.exec(privileges) ?? []
    return tables.flatMap((table) =>
      names.split(', ').flatMap((privilege) => columns.split(', ').map((column) => ({ table, privilege, column }))),
    )
  })
  const { rows } = await client.query<{ name: string }>(
    `select distinct "table" as name
    from json_to_recordset($2) as needed("table" text, privilege text, "column" text)
    where not case "column" when '' then has_table_privilege($1::name, "table", privilege)
      else has_column_privilege($1::name, "table", "column", privilege) end
    order by name`,
    [role, JSON.stringify(needed)],
  )
  return rows.map(({ name }) => name)
}

/** Lets a role see all sessions and settings of PostgreSQL, and no data. It is for the doctor. The service does not need it. */
export async function grantDoctor(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ has: boolean }>(
    `select pg_has_role(rolname, 'pg_monitor', 'member') as has from pg_roles where rolname = $1`,
    [role],
  )
  const [known] = rows
  if (known === undefined)
    throw new CannotStart(`DATABASE_DOCTOR_ROLE: the role ${JSON.stringify(role)} does not exist.`)
  if (known.has) return
  await client.query(`grant pg_monitor to ${pg.escapeIdentifier(role)}`).catch((error: Error) => {
    throw new CannotStart(
      `DATABASE_DOCTOR_ROLE: the owner of the schema may not grant pg_monitor to ${role} (${error.message}). Grant it as a superuser of PostgreSQL.`,
    )
  })
}

/** The differences between the rights of the connected role and those that `grantService` grants, as names of tables and similar objects. */
export async function compareRights(client: pg.Client): Promise<{ lacking: string[]; excess: string[] }> {
  const { rows: lacking } = await client.query<{ name: string }>(`
    select distinct name from (${rights}) r, unnest(privileges) as privilege
    where not case kind
      when 'schema' then has_schema_privilege(oid, privilege)
      when 'sequence' then has_sequence_privilege(oid, privilege)
      else has_table_privilege(oid, privilege) end
    order by name`)
  // A partition is recognized by the name of its parent.
  const { rows: excess } = await client.query<{ name: string }>(`
    select distinct coalesce(quote_ident(parent.relname), quote_ident(c.relname)) as name
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
    left join pg_class parent on parent.oid = i.inhparent
    left join (${rights}) r on r.oid = c.oid and r.kind = 'table'
    cross join unnest(array['insert', 'update', 'delete', 'truncate']) as privilege
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
      and privilege <> all(coalesce(r.privileges, '{}')) and has_table_privilege(c.oid, privilege)
    order by name`)
  const names = new Set(lacking.map(({ name }) => name))
  if (await hasForeignJobs(client)) names.add('pgboss')
  return { lacking: [...names], excess: excess.map(({ name }) => name) }
}

/** Whether pg-boss has tables that the role does not own. Default: the connected role. */
async function hasForeignJobs(client: pg.Client, role?: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where nspname = 'pgboss' and not pg_has_role(coalesce($1, current_user), relowner, 'usage') limit 1`,
    [role],
  )
  return rowCount === 1
}

/** The rights that the service's role needs: `privileges` on the schema, sequence, table or view `name`. */
const rights = `
  select 'schema' as kind, oid, quote_ident(nspname) as name,
    case nspname when 'pgboss' then array['usage', 'create'] else array['usage'] end as privileges
  from pg_namespace where nspname in ('public', 'pgboss')
  union all
  select 'sequence', oid, quote_ident(relname), array['usage']
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'
  union all
  select 'table', oid, quote_ident(relname),
    case when relname = 'schema_migrations' then array['select']
      when exists (
        select from pg_trigger t join pg_proc p on p.oid = t.tgfoid where t.tgrelid = c.oid and p.proname = 'refuse_change'
      ) then array['select', 'insert']
      else array['select', 'insert', 'update', 'delete'] end
  from pg_class c
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`
