import type pg from 'pg'

/** The contents of an installation. */
export interface Size {
  readonly zones: number
  readonly rrsets: number
  readonly endpoints: number
  readonly orders: number
}

/** ×1; ×10 and ×100 have ten and a hundred times as much. */
export const smallest: Size = { zones: 1_000, rrsets: 10_000, endpoints: 100, orders: 1_000 }

const rrsetsOfZone = smallest.rrsets / smallest.zones
/** The most that an account can have. */
const endpointsOfAccount = 10

/**
 * Grows an installation from `from` times the smallest size to `to` times. It writes rows in the state in which the service leaves them once the
 * nameservers have everything, because creating them through the API would take an hour. Zones and orders belong to one account, and endpoints
 * to others.
 */
export async function fill(client: pg.Client, accountId: string, from: number, to: number): Promise<void> {
  const range = (count: number): [number, number] => [count * from + 1, count * to]
  await client.query(zones, [accountId, ...range(smallest.zones), rrsetsOfZone])
  await client.query(rrsets, [...range(smallest.zones), rrsetsOfZone])
  await client.query(sightings, range(smallest.zones))
  // Spread over future times, so that nothing is due during the measurements.
  await client.query(
    `update zone_delegations set due_at = app_now() + interval '6 hours' + random() * interval '6 hours'
     where zone_id in (select id from zones where name like 'scale%')`,
  )
  await client.query(endpoints, [...range(smallest.endpoints), endpointsOfAccount])
  await client.query(orders, [accountId, ...range(smallest.orders)])
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

const zones = `
  insert into zones (name, account_id, state, origin, serial, rrset_count, bytes, catalog_label, live_at)
  select 'scale' || i || '.test', $1, 'live', 'added', 1000, $4,
    (select sum(length('h' || host || '.scale' || i || '.test') + 28) from generate_series(1, $4::int) host), md5('scale' || i), now() from generate_series($2::int, $3::int) i`

const rrsets = `
  insert into zone_rrsets (zone_id, name, type, ttl, records)
  select id, 'h' || host || '.' || name, 'A', 300, array['192.0.2.' || host]
  from zones, generate_series(1, $3::int) host
  where name in (select 'scale' || i || '.test' from generate_series($1::int, $2::int) i)`

const sightings = `
  insert into zone_sightings (zone_id, nameserver, serial)
  select z.id, n.name, z.serial from zones z, nameservers n
  where z.name in (select 'scale' || i || '.test' from generate_series($1::int, $2::int) i)`

const endpoints = `
  with owners as (
    insert into accounts (email) select 'scale' || i || '@zonewright.test' from generate_series(($1::int - 1) / $3::int + 1, $2::int / $3::int) i
    returning id, email
  ), made as (
    insert into webhook_endpoints (id, account_id, url, secrets)
    select 'whe_scale' || i, owners.id, 'https://hooks.scale.test/' || i, array['\\x00'::bytea]
    from generate_series($1::int, $2::int) i join owners on owners.email = 'scale' || ((i - 1) / $3::int + 1) || '@zonewright.test'
    returning id
  )
  insert into webhook_lanes (endpoint_id) select id from made`

const orders = `
  insert into orders (id, account_id, kind, name, tld, years, status, amount_kobo, credit_kobo, promo_code, promo_kobo, card_kobo,
    renewal_kobo, client_email, created_at, paid_at, finished_at, settled_at, auto_renew, nameservers)
  select 'ord_' || lpad(to_hex(i), 32, '0'), $1, 'register', 'shop' || i || '.test', 'test', 1, 'completed', 500000, 0, '', 0, 500000,
    500000, 'ada@example.net', now() - i * interval '1 minute', now(), now(), now(), false, '{}'
  from generate_series($2::int, $3::int) i`
