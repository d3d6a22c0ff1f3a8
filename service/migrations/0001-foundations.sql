-- Time, identity and what every change leaves behind.

-- pg-boss keeps its own tables here; the service's role may make them, and nothing outside.
create schema pgboss;

-- The one clock of every deadline. Tests replace it; nothing else reads the time in SQL.
-- statement_timestamp, not now(): a transaction that waited for a lock must not write an old time.
create function app_now() returns timestamptz
  language sql stable parallel safe
  return statement_timestamp();

-- A person. The tables account_* and the columns of this one down to updated_at are read and written by better-auth, too.
create table accounts (
  id uuid primary key default gen_random_uuid(),
  email text not null unique,               -- lower-case; a deleted account's is "deleted:" and its id
  name text not null default '',
  email_confirmed boolean not null default false,
  two_factor_enabled boolean not null default false,
  image text,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  deleted_at timestamptz,                   -- its zones answer for 7 days more
  deleted_email text,                       -- what support needs to undo a deletion
  erased_at timestamptz,                    -- the 7 days are over, and its zones gone
  zone_limit integer check (zone_limit > 0) -- what an operator has allowed; null: as many as usual
);
create index accounts_held on accounts (deleted_at) where deleted_at is not null and erased_at is null;

create table account_sessions (
  id uuid primary key,
  account_id uuid not null references accounts,
  token text not null unique,               -- the cookie holds it with a signature
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index account_sessions_account on account_sessions (account_id);

-- How an account signs in: provider "credential" has a password's hash (scrypt).
create table account_credentials (
  id uuid primary key,
  user_id uuid not null references accounts,
  provider_id text not null,
  account_id text not null,                 -- better-auth's word: the account's id at the provider
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index account_credentials_user on account_credentials (user_id);

-- Things asked for by mail or half-way through a sign-in.
create table account_verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index account_verifications_identifier on account_verifications (identifier);
create index account_verifications_age on account_verifications (expires_at);

create table account_two_factors (
  id uuid primary key,
  account_id uuid not null references accounts,
  secret text not null,                     -- encrypted
  backup_codes text not null,               -- encrypted
  verified boolean not null default true,
  failed_verification_count integer default 0,
  locked_until timestamptz
);
create unique index account_two_factors_account on account_two_factors (account_id);

-- Codes of the authenticator that were used: each works once. `step` counts periods of 30 s since 1970 (RFC 6238).
create table account_used_codes (
  account_id uuid not null references accounts,
  step bigint not null,
  used_at timestamptz not null default app_now(),
  primary key (account_id, step)
);

-- How often something was tried that can be guessed: passwords, codes, addresses.
create table account_tries (
  kind text not null,
  subject text not null,
  began_at timestamptz not null default app_now(),
  tries integer not null,
  primary key (kind, subject)
);
create index account_tries_age on account_tries (began_at);

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
  last_used_ip inet,
  told_unused_at timestamptz                -- when its owner was mailed that nobody uses it
);
create index api_keys_account on api_keys (account_id, created_at);

-- Columns by which nothing is found. ANALYZE sorts a sample of each column's values to plan by; of wide ones in tables that grow all
-- day this was a tenth of a processor's time under load.
create function leave_unanalysed(named regclass, variadic columns text[]) returns void language plpgsql as $$
declare
  each text;
begin
  foreach each in array columns loop
    execute format('alter table %s alter column %I set statistics 0', named, each);
  end loop;
end $$;

-- When each key's requests of the last minute came. Unlogged: a crash of PostgreSQL forgives a minute. Plain: a full window
-- fits a page, and is written too often to be packed each time.
create unlogged table api_key_windows (
  key_id text primary key,
  recent bigint[] not null,                 -- milliseconds since 1970, the oldest first; never empty
  admitted integer not null                 -- of the last batch, how many were let in
) with (fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.1);
alter table api_key_windows alter column recent set storage plain;
select leave_unanalysed('api_key_windows', 'recent', 'admitted');

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
  reference json,                           -- before and after, as ids and versions
  request_id text,
  address inet
) partition by range (at);                   -- no primary key: nothing looks an entry up by itself, and each index costs every change
select leave_unanalysed('audit_log', 'id', 'actor_kind', 'actor_name', 'actor_id', 'zone_name', 'domain', 'summary', 'reference',
  'request_id', 'address');
create index audit_log_account on audit_log (account_id, at desc);
create index audit_log_zone on audit_log (zone_id, at desc) where zone_id is not null;
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
  request_mac bytea not null,               -- of method, path and body, with a key that is not kept here
  status integer,
  answer json,                              -- json, not jsonb: a repeat is answered to the letter
  created_at timestamptz not null default app_now(),
  primary key (caller, key)
);
select leave_unanalysed('idempotency_keys', 'request_mac', 'answer');
create index idempotency_keys_age on idempotency_keys (created_at);

-- Partitions of a parent table, one a period ('month' or 'day') from `first` to `last`, made when missing. What of the parent is left
-- unanalysed is so in them, too: PostgreSQL passes that on to none that is made later.
create function ensure_partitions(parent regclass, period text, first date, last date) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  start date := date_trunc(period, first)::date;
  stop date;
  made text;
  unanalysed text[] := array(select attname from pg_attribute where attrelid = parent and attnum > 0 and attstattarget = 0);
begin
  while start <= last loop
    stop := (start + ('1 ' || period)::interval)::date;
    made := quote_ident(parent::text || '_' || to_char(start, 'YYYYMMDD'));
    if to_regclass(made) is null then
      execute format('create table if not exists %s partition of %s for values from (%L) to (%L)', made, parent, start, stop);
      perform leave_unanalysed(made::regclass, variadic unanalysed);
    end if;
    start := stop;
  end loop;
end $$;
