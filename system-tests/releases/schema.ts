import pg from 'pg'
import { readTables } from '../../tools/local/tables.ts'

/** Everything of a schema that a migration makes, in PostgreSQL's own words, by kind. */
export type Schema = Readonly<Record<string, readonly unknown[]>>

/** Reads the schema `public` of a database. Partitions are left out: they depend on the day. */
export async function readSchema(url: string): Promise<Schema> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const schema: Record<string, unknown[]> = { tables: await readTables(client) }
    for (const [kind, text] of Object.entries(queries)) schema[kind] = (await client.query(text)).rows
    return schema
  } finally {
    await client.end()
  }
}

const inSchema = `relnamespace = 'public'::regnamespace and not relispartition`

const queries = {
  settings: `
    select relname, relkind, relpersistence, reloptions, pg_get_partkeydef(oid) as partitioned
    from pg_class where ${inSchema} and relkind in ('r', 'p', 'i', 'I', 'S', 'v') order by relname`,
  columns: `
    select relname, attname, nullif(attstattarget, -1) as statistics, attstorage, attcollation::regcollation::text
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where ${inSchema} and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped order by relname, attnum`,
  triggers: `
    select pg_get_triggerdef(t.oid) as definition, tgenabled from pg_trigger t join pg_class c on c.oid = tgrelid
    where ${inSchema} and not tgisinternal order by 1`,
  constraintNames: `
    select conrelid::regclass::text as table, conname, convalidated from pg_constraint join pg_class c on c.oid = conrelid
    where ${inSchema} order by 1, 2`,
  functions: `
    select pg_get_functiondef(oid) as definition from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
  views: `select viewname, definition from pg_views where schemaname = 'public' order by 1`,
  types: `
    select typname, typtype from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('e', 'd') order by 1`,
  rights: `
    select kind, name, privilege_type as privilege from (
      select relkind::text as kind, relname::text as name, relacl as acl from pg_class where ${inSchema}
      union all select 'schema', nspname, nspacl from pg_namespace where nspname in ('public', 'pgboss')
      union all select 'function', proname, proacl from pg_proc where pronamespace = 'public'::regnamespace
    ) named, aclexplode(acl) join pg_roles on pg_roles.oid = grantee
    where rolname like 'service_of_releases_%' order by 1, 2, 3`,
}
