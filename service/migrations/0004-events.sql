-- What happened. The transaction that makes something happen writes it into the outbox; a held event gets its id and its time
-- there when it is released. Fan-out moves released events, in order and with their bodies, into `events`, which never change
-- (design: webhooks, "From event to delivery").

-- Prefix, 12 hex digits of milliseconds since 1970, 20 random ones: as newId() in platform/ids.ts, by the database's clock. An
-- expression without a subquery, so that it becomes part of the statement; the last group of a random UUID and its first are random as a whole.
create function new_id(prefix text, at timestamptz) returns text
  language sql volatile parallel safe
  return prefix || '_' || lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0')
    || overlay(gen_random_uuid()::text placing '' from 9 for 16);

-- The least id of a kind that can have been made at a time or after it: ids sort by their time.
create function id_floor(prefix text, at timestamptz) returns text
  language sql immutable parallel safe
  return prefix || '_' || lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0');

-- The exact bytes that are signed: the envelope of the specification, its members in this order.
create function event_body(id text, type text, created_at timestamptz, data text) returns bytea
  language sql stable parallel safe
  return convert_to('{"id":"' || id || '","type":"' || type || '","created_at":"'
    || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":' || data || '}', 'UTF8');

-- Written and not yet placed: a small table however long the history is.
create table event_outbox (
  seq bigint generated always as identity primary key, -- drawn under the zone's lock: the order of one zone's events
  type text not null,
  recipients uuid[] not null,                -- accounts: the zone's owner and managers, or the order's account
  endpoint_id text,                          -- ping: the one endpoint that it goes to
  zone_id uuid,
  serial bigint,                             -- of the zone, for zone.records_changed
  data json not null,                        -- becomes the body's `data`; json, not jsonb: members keep their order
  replicated boolean not null default false, -- fixed by its release: does every nameserver have the change? The body says so
  bytes integer not null default 0,          -- of `data`: to tell it later would be to read all of it
  request_id text,                           -- the request that it comes of, for the log
  -- What it waits for; null: released. 'serial': every nameserver has the serial; 'everywhere': every nameserver
  -- answers the zone; 'turn': only for the zone's earlier events.
  held text check (held in ('serial', 'everywhere', 'turn')),
  held_since timestamptz not null default app_now(), -- infinity: behind zone.created, its 30 s have not begun
  id text,
  created_at timestamptz,
  check (held is not null or (id is not null and created_at is not null))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_threshold = 2000);
select leave_unanalysed('event_outbox', 'type', 'recipients', 'endpoint_id', 'serial', 'data', 'replicated', 'bytes', 'request_id', 'id');
create index event_outbox_held on event_outbox (zone_id, seq) where held is not null;
create index event_outbox_everywhere on event_outbox (zone_id) where held = 'everywhere'; -- next to nothing in it: each change looks here
create index event_outbox_overdue on event_outbox (held_since) where held = 'serial';
create index event_outbox_turns on event_outbox (zone_id, seq) where held = 'turn';
create index event_outbox_released on event_outbox (created_at, seq) where held is null;

create table events (
  event_day date not null,                   -- the UTC day of created_at, encoded in the id
  id text not null,                          -- evt_ + hex
  type text not null,
  recipients uuid[] not null,
  endpoint_id text,
  zone_id uuid,
  serial bigint,
  created_at timestamptz not null,
  body bytea not null,
  request_id text,
  position bigint not null,                  -- place in the one order; fan-out alone draws it
  primary key (event_day, id)
) partition by range (event_day);
select leave_unanalysed('events', 'recipients', 'endpoint_id', 'serial', 'body', 'request_id');
create sequence event_positions;
-- An account's own list. Nearly all events have one recipient: a GIN index over all of them would cost each fan-out more.
create index events_recipient on events ((recipients[1]), id);
create index events_shared on events using gin (recipients) where cardinality(recipients) > 1;

-- Drops the daily partitions of a table that lie wholly before a day.
create function drop_partitions(parent regclass, before date) returns setof text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  old regclass;
begin
  -- It runs as the schema's owner: what may not be changed may not be dropped either.
  if exists (
    select from pg_trigger t join pg_proc p on p.oid = t.tgfoid where t.tgrelid = parent and p.proname = 'refuse_change'
  ) then raise exception '% is append-only', parent;
  end if;
  for old in
    select inhrelid::regclass from pg_inherits
    where inhparent = parent and right(inhrelid::regclass::text, 8) < to_char(before, 'YYYYMMDD')
    order by inhrelid::regclass::text
  loop
    execute format('drop table %s', old);
    return next old::text;
  end loop;
end $$;
