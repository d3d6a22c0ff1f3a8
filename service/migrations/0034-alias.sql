-- Older code runs on this schema, but cannot transfer a zone that has an ALIAS.

-- What the targets of ALIAS records resolve to: one row per target, for all zones.
create table alias_targets (
  target text collate "C" primary key,            -- a host name, without the final dot
  a text[] not null default '{}',                 -- the last addresses, kept while the target fails
  aaaa text[] not null default '{}',
  found integer not null default 0,               -- how many addresses there were; more than a and aaaa have if they were too many
  ttl integer not null default 300,               -- seconds, within the bounds
  ttl_seen_at timestamptz not null default app_now(), -- when an answer last had this TTL: a caching resolver also gives what is left of it
  error text,                                     -- why the last lookup failed; null: it found addresses, or there was none yet
  failing_since timestamptz,
  is_told boolean not null default false,         -- owners have had an email about this failure
  checked_at timestamptz,                         -- the end of the last lookup
  revision bigint not null default 1,             -- rises when a, aaaa or ttl change
  is_behind boolean not null default false,       -- zones may still publish an earlier revision
  due_at timestamptz not null default app_now()   -- the next lookup; doubles as the lease of the worker that makes it
);
select leave_unanalysed('alias_targets', 'a', 'aaaa', 'found', 'ttl', 'ttl_seen_at', 'checked_at', 'revision');
create index alias_targets_due on alias_targets (due_at);
create index alias_targets_behind on alias_targets (target) where is_behind;
create index alias_targets_failing on alias_targets (failing_since) where failing_since is not null;

-- What each ALIAS publishes at its name. The ALIAS itself is in zone_rrsets, as the customer wrote it.
create table zone_aliases (
  zone_id uuid not null references zones on delete cascade,
  name text collate "C" not null,
  target text collate "C" not null,
  rrset_ttl integer not null,                     -- the customer's TTL
  ttl integer not null,                           -- the published TTL
  a text[] not null,
  aaaa text[] not null,
  revision bigint not null,                       -- of the target
  primary key (zone_id, name)
);
select leave_unanalysed('zone_aliases', 'rrset_ttl', 'ttl', 'a', 'aaaa', 'revision');
create index zone_aliases_target on zone_aliases (target);

-- A deletion that is undone: the targets were not looked up in the meantime.
create function hurry_aliases() returns trigger language plpgsql as $$
begin
  update alias_targets set due_at = app_now(), is_behind = true
  where target in (select target from zone_aliases where zone_id = new.id);
  return null;
end $$;
create trigger zones_aliases after update of state on zones
  for each row when (old.state = 'deleted') execute function hurry_aliases();
