import { type Db, sql } from '#platform/postgres/index.ts'

/** Writes an event of an account, and returns its id. */
export async function testEvent(db: Db, accountId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into events (event_day, id, type, recipients, created_at, body, position)
    select (at at time zone 'utc')::date, id, 'order.paid', array[${accountId}]::uuid[], at, event_body(id, 'order.paid', at, '{}'),
      nextval('event_positions')
    from (select app_now() as at, new_id('evt', app_now()) as id offset 0) made
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}
