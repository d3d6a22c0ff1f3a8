-- Where each zone's nameservers point: asked of the parent's servers, again and again.

create table zone_delegations (
  zone_id uuid primary key references zones on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'live', 'partial', 'lost', 'missing')),
  since timestamptz not null default app_now(), -- when the state was entered
  candidate text,                            -- another state that the last answer spoke for, and since when
  candidate_at timestamptz,
  parent_nameservers text[] not null default '{}', -- as last answered: lower-case, no trailing dot, sorted
  registry_nameservers text[] not null default '{}',
  registry_expires_at timestamptz,           -- as the registry last told; null: it did not
  registry_asked_at timestamptz,             -- answered or not
  failure text,                              -- why the last check had no answer
  checked_at timestamptz,                    -- of the last answer
  asked_at timestamptz,                      -- of the last check, answered or not
  due_at timestamptz,                        -- null: not checked by itself, since the zone is not live
  revision bigint not null default 0,        -- counts what was recorded: two checks at once must not both count
  check ((candidate is null) = (candidate_at is null))
) with (fillfactor = 60);
create index zone_delegations_due on zone_delegations (due_at) where due_at is not null;

-- Every zone has its row, checked as long as the zone is live. A trigger, since zones come to life in many ways; record
-- changes do not touch the state, so they pay nothing. A zone waits for its delegation from when it is live: nobody asked before.
create function follow_delegation() returns trigger language plpgsql as $$
begin
  insert into zone_delegations (zone_id, due_at) values (new.id, case when new.state = 'live' then app_now() end)
  on conflict (zone_id) do update set due_at = excluded.due_at, candidate = null, candidate_at = null,
    since = case when new.state = 'live' and zone_delegations.state = 'waiting' then app_now() else zone_delegations.since end;
  return null;
end $$;
create trigger zones_delegation after insert or update of state on zones
  for each row execute function follow_delegation();

insert into zone_delegations (zone_id, due_at)
  select id, case when state = 'live' then app_now() end from zones where state <> 'deleted';
