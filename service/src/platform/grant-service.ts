import type pg from 'pg'
import { CannotStart } from './cannot-start.ts'

/**
 * Gives a role the rights that `api`, `worker` and `primary` need: to read and write rows, and to have pg-boss's tables.
 *
 * No right to change the schema; of append-only tables (those with the trigger function `refuse_change`) none to change or
 * remove a row. Partitions are reached through their parents alone, and made and dropped by functions that run as the
 * schema's owner, who calls this after each migration.
 */
export async function grantService(client: pg.Client, role: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
  if (rowCount === 0) throw new CannotStart(`DATABASE_ROLE: there is no role ${JSON.stringify(role)}.`)
  const { rows } = await client.query<{ statement: string }>(rights, [role])
  for (const { statement } of rows) await client.query(statement)
}

const rights = `
  select format('grant usage on schema public to %I', $1::text) as statement
  union all
  select format('grant usage, create on schema pgboss to %I', $1::text)
  union all
  select format('grant usage on all sequences in schema public to %I', $1::text)
  union all
  select format(
    case when relname = 'schema_migrations' then 'grant select on %I to %I'
      when exists (
        select from pg_trigger t join pg_proc p on p.oid = t.tgfoid where t.tgrelid = c.oid and p.proname = 'refuse_change'
      ) then 'grant select, insert on %I to %I'
      else 'grant select, insert, update, delete on %I to %I' end,
    relname, $1::text)
  from pg_class c
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`
