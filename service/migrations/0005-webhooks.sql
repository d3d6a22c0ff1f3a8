-- An endpoint has one lane; a delivery is one event to one endpoint; an attempt is one HTTP request.

create table webhook_endpoints (
  id text primary key,
  account_id uuid not null references accounts,
  url text not null,
  events text[],                             -- types and groups; null: every event
  description text not null default '',
  secrets bytea[] not null,                  -- encrypted; the newest first, more than one during a rotation's overlap
  secret_ends timestamptz[] not null default '{null}', -- when each of them stops signing; null: the newest never does
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  disabled_at timestamptz,
  disabled_reason text,
  created_at timestamptz not null default app_now()
);
create index webhook_endpoints_account on webhook_endpoints (account_id, id);
create index webhook_endpoints_rotated on webhook_endpoints (id) where cardinality(secrets) > 1;

-- Those of an endpoint's secrets that still sign, in their order.
create function live_secrets(secrets bytea[], ends timestamptz[]) returns bytea[]
  language sql stable parallel safe
  return case when cardinality(secrets) = 1 then secrets else (
    select array_agg(secret order by place) from unnest(secrets, ends) with ordinality as kept (secret, until, place)
    where until is null or until > app_now()) end;

create table webhook_lanes (
  endpoint_id text primary key references webhook_endpoints on delete cascade,
  due_at timestamptz,                        -- when to look again; doubles as the lease's expiry
  lease uuid,
  placed_after bigint not null default 0,    -- up to this position nothing waits for its first attempt
  struggling boolean not null default false, -- slow or failing: it has its own share of the slots
  failing_since timestamptz
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
create index webhook_lanes_due on webhook_lanes (struggling, due_at) where due_at is not null;

-- The history: every delivery, of whatever status.
create table webhook_deliveries (
  event_day date not null,                   -- the event's; the id encodes it too
  id text not null,
  endpoint_id text not null,
  event_id text not null,                    -- ids sort by time, so that the unique index also lists an endpoint's deliveries
  event_type text not null,
  position bigint not null,                  -- the event's
  status text not null check (status in ('pending', 'succeeded', 'failed', 'skipped')),
  last_status integer,
  attempts integer not null default 0,       -- automatic ones: at most eight
  requests integer not null default 0,       -- all of them, manual ones included
  created_at timestamptz not null default app_now(),
  finished_at timestamptz,
  primary key (event_day, id),
  unique (endpoint_id, event_id, event_day)
) partition by range (event_day);
select leave_unanalysed('webhook_deliveries', 'position', 'last_status', 'attempts', 'requests', 'created_at', 'finished_at');

-- What the lanes still have to send: a row for each pending delivery, gone when it is done. Apart from the history, so that
-- finding a lane's next delivery never depends on 30 days of partitions. Two orders: first attempts by position (the lane's
-- `placed_after` skips whatever is done, even when an old snapshot keeps vacuum away), later ones by time.
create table webhook_queue (
  endpoint_id text not null,
  position bigint not null,
  event_day date not null,
  delivery_id text not null,
  event_id text not null,
  event_type text not null,
  attempts integer not null default 0,
  retry_at timestamptz,                      -- null: not tried yet
  manual boolean not null default false,     -- the next attempt was asked for by the customer
  resume_at timestamptz,                     -- after a failed manual attempt the automatic schedule goes on, not before this; null: not at all
  primary key (endpoint_id, position)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
  autovacuum_analyze_threshold = 2000);
create index webhook_queue_retries on webhook_queue (endpoint_id, retry_at, position) where retry_at is not null;

create table webhook_attempts (
  event_day date not null,
  delivery_id text not null,
  number integer not null,
  manual boolean not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status integer,                            -- HTTP status; null when there was no answer
  failure text,                              -- one word; null when it succeeded
  request_headers json not null,
  response_headers json,
  response_body text,
  primary key (event_day, delivery_id, number)
) partition by range (event_day);
select leave_unanalysed('webhook_attempts', 'manual', 'duration_ms', 'status', 'failure', 'request_headers', 'response_headers',
  'response_body');

-- The partitions that the coming days need, and those of released events without a place, however long no worker was there. Called by
-- `migrate` and every hour.
create function ensure_all_partitions() returns void language plpgsql as $$
declare
  today date := (app_now() at time zone 'utc')::date;
  released date := (select (min(created_at) at time zone 'utc')::date from event_outbox where held is null);
  first date := least(today - 1, released);
begin
  perform ensure_partitions('audit_log', 'month', today - 1, today + 75);
  perform ensure_partitions('events', 'day', first, today + 7);
  perform ensure_partitions('webhook_deliveries', 'day', first, today + 7);
  perform ensure_partitions('webhook_attempts', 'day', first, today + 7);
end $$;
