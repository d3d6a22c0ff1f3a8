-- Zones, their record sets, and the two histories: the customer's (zone_changes) and the secondaries' (zone_journal).

create table zones (
  id uuid primary key default gen_random_uuid(),
  name text collate "C" not null,            -- lower-case A-labels, no trailing dot
  account_id uuid not null references accounts,
  state text not null check (state in ('pending', 'live', 'deleted')),
  origin text not null check (origin in ('verified', 'bought', 'claimed', 'added')),
  version bigint not null default 0,         -- counts the customer's changes; the ETag
  serial bigint not null,                    -- counts publications; modulo 2^32 it is the SOA serial
  rrset_count integer not null default 0,
  bytes bigint not null default 0,           -- of its rrsets: owner names and records, as records/rules.ts counts them
  catalog_label text not null,               -- the member's unique label in the catalog zone (RFC 9432 §4.1)
  parent_id uuid,                            -- the zone here that delegates to it, by records of the service's own
  vouched boolean not null default false,    -- added by the operator: it rests on nothing above it
  rrset_limit integer default 10000,         -- null: none
  created_at timestamptz not null default app_now(),
  live_at timestamptz,
  deleted_at timestamptz,
  lost_at timestamptz                        -- its name has gone to another account: the deletion is not undone
) with (fillfactor = 20);                    -- room on the page for heap-only updates: every change updates its zone
create unique index zones_live_name on zones (name) where state = 'live';
create unique index zones_pending_name on zones (account_id, name) where state = 'pending';
create index zones_account on zones (account_id, name) where state <> 'deleted';
-- Not with the serial in it: an index that each change had to touch would cost it the heap-only update.
create index zones_name on zones (name);
create index zones_parent on zones (parent_id) where parent_id is not null;
create index zones_deleted on zones (deleted_at) where state = 'deleted';
-- Zones that are live, or were, because what is above them was their account's, by their names read backwards: those below a name
-- lie side by side.
create index zones_added_below on zones (reverse(name)) where origin = 'added' and not vouched and live_at is not null;

-- Neither these nor the two histories have a foreign key: every change would pay for looking its zone up, whose row it
-- holds locked.
create table zone_rrsets (
  zone_id uuid not null,
  name text collate "C" not null,            -- the owner name, as zones.name
  type text collate "C" not null,            -- mnemonic, or TYPE65400
  ttl integer not null,
  records text[] not null,                   -- canonical presentation form
  managed boolean not null default false,    -- the service's own: a delegation to a zone hosted here
  updated_at timestamptz not null default app_now(),
  primary key (zone_id, name, type)
);
select leave_unanalysed('zone_rrsets', 'ttl', 'records', 'updated_at');
create index zone_rrsets_managed on zone_rrsets (zone_id, name) where managed;

create table zone_changes (
  zone_id uuid not null,
  version bigint not null,
  serial bigint not null,
  at timestamptz not null default app_now(),
  actor_kind text not null,
  actor_name text not null,
  actor_id text,
  changes_count integer not null,            -- how many `changes` has: lists of versions need not read them
  changes json not null,                     -- [{name, type, before: {ttl, records} | null, after: … | null}]; json is written at half the cost of jsonb
  primary key (zone_id, version)
);
select leave_unanalysed('zone_changes', 'serial', 'actor_kind', 'actor_name', 'actor_id', 'changes_count', 'changes');

create table zone_journal (
  zone_id uuid not null,
  from_serial bigint not null,
  to_serial bigint not null,
  removed json not null,                     -- [{name, type, ttl, records}], the SOA left out
  added json not null,
  bytes bigint not null default 0,           -- of both sides, as those of zones
  at timestamptz not null default app_now(),
  primary key (zone_id, to_serial)
);
select leave_unanalysed('zone_journal', 'from_serial', 'removed', 'added', 'bytes');

-- For a statement that goes on only where a zone is what it was read as (records/store.ts, `holdStatement`).
create function refuse_stale() returns boolean language plpgsql volatile as $$
begin
  raise exception 'the zone has changed since it was read, or is in other hands' using errcode = 'serialization_failure';
end $$;

-- The zones that a key for particular zones covers.
create table api_key_zones (
  key_id text not null references api_keys on delete cascade,
  zone_id uuid not null references zones on delete cascade,
  primary key (key_id, zone_id)
);
create index api_key_zones_zone on api_key_zones (zone_id);

-- Accounts that manage somebody else's zone.
create table zone_managers (
  zone_id uuid not null references zones on delete cascade,
  account_id uuid not null references accounts,
  created_at timestamptz not null default app_now(),
  primary key (zone_id, account_id)
);
create index zone_managers_account on zone_managers (account_id);

-- Zones that went live or were deleted, in the order of commits as good as they can be told: written by the transaction
-- that moves the zone, taken by the publication leader alone, which turns each batch into one serial of the catalog zone.
create table zone_moves (
  id bigint generated always as identity primary key,
  zone_id uuid not null,
  zone_name text not null,
  catalog_label text not null,
  live boolean not null
);
