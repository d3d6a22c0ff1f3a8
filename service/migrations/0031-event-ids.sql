-- An event's id and time are those of its change, not of its release. After a failover or a restore, an event that was released, but whose
-- release was lost, is released again with the same id, and receivers recognise it.
alter table event_outbox add column released_at timestamptz;

-- Code before this migration writes no `released_at`.
drop index event_outbox_released;
create index event_outbox_released on event_outbox (coalesce(released_at, created_at), seq) where held is null;

-- The id of an event about a zone. Its data has the zone, the serial and the changes.
create function event_id(at timestamptz, type text, data json) returns text
  language sql immutable parallel safe
  return 'evt_' || lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || left(md5(type || data::text), 20);
