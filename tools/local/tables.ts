import type pg from 'pg'

/** A table, in PostgreSQL's own words. */
export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** Keys, references and checks. */
  readonly constraints: readonly string[]
  /** Those that no constraint has created. */
  readonly indexes: readonly string[]
}

/** The tables of the schema `public`, by name. Partitions are left out. */
export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select
      c.relname as name,
      array(
        select concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
          case when attnotnull then 'not null' end,
          case when attgenerated = 's' then format('generated always as (%s) stored', pg_get_expr(adbin, adrelid))
            when attidentity <> '' then 'generated as identity'
            when adbin is not null then 'default ' || pg_get_expr(adbin, adrelid) end)
        from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum
      ) as columns,
      array(
        select pg_get_constraintdef(oid, true) from pg_constraint
        where conrelid = c.oid and contype <> 'n' order by contype = 'p' desc, contype, pg_get_constraintdef(oid, true)
      ) as constraints,
      array(
        select pg_get_indexdef(indexrelid) from pg_index
        where indrelid = c.oid and not exists (select from pg_constraint where conindid = indexrelid and conrelid = c.oid)
        order by indexrelid::regclass::text
      ) as indexes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`)
  return rows
}
