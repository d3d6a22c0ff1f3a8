-- Time, identity and what every change leaves behind.

-- The one clock of every deadline. Tests replace it; nothing else reads the time in SQL.
-- statement_timestamp, not now(): a transaction that waited for a lock must not write an old time.
create function app_now() returns timestamptz
  language sql stable parallel safe
  return statement_timestamp();

create table accounts (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null default '',
  email_confirmed_at timestamptz,
  created_at timestamptz not null default app_now(),
  deleted_at timestamptz
);
create unique index accounts_email on accounts (lower(email)) where deleted_at is null;

create table api_keys (
  id text primary key,
  account_id uuid not null references accounts,
  name text not null,
  hint text not null,                       -- the last four characters of the secret
  secret_sha256 bytea not null unique,      -- all that is kept of it
  all_zones boolean not null,
  permissions text[] not null,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_ip inet
);
create index api_keys_live_name on api_keys (account_id, name) where revoked_at is null;

-- Append-only. Read by account, by zone, by time.
create table audit_log (
  id bigint generated always as identity,
  at timestamptz not null default app_now(),
  account_id uuid not null,
  actor_kind text not null check (actor_kind in ('session', 'key', 'system', 'operator')),
  actor_name text not null,
  actor_id text,
  action text not null,
  zone_id uuid,
  zone_name text,
  domain text,
  summary text not null,
  reference jsonb,                          -- before and after, as ids and versions
  request_id text,
  address inet
) partition by range (at);                   -- no primary key: nothing looks an entry up by itself, and each index costs every change
create index audit_log_account on audit_log (account_id, at desc);
create index audit_log_zone on audit_log (zone_id, at desc);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();

-- What a POST with an Idempotency-Key answered, kept 24 hours.
create table idempotency_keys (
  caller text not null,                     -- the key's or the account's id
  key text not null,
  request_sha256 bytea not null,            -- method, path and body
  status integer,
  answer json,                              -- json, not jsonb: a repeat is answered to the letter
  created_at timestamptz not null default app_now(),
  primary key (caller, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Partitions of a parent table, one a period ('month' or 'day') from `first` to `last`, made when missing.
create function ensure_partitions(parent regclass, period text, first date, last date) returns void
  language plpgsql as $$
declare
  start date := date_trunc(period, first)::date;
  stop date;
begin
  while start <= last loop
    stop := (start + ('1 ' || period)::interval)::date;
    execute format('create table if not exists %s partition of %s for values from (%L) to (%L)',
      quote_ident(parent::text || '_' || to_char(start, 'YYYYMMDD')), parent, start, stop);
    start := stop;
  end loop;
end $$;
