-- Zones that still name other nameservers than the configured ones: all that were live when NAMESERVERS changed, until
-- each has been given a serial with the new names (docs/runbooks/secondaries.md).
create table former_nameservers (
  zone_id uuid primary key references zones on delete cascade,
  names text[] not null                      -- in their order; the first is the SOA's mname
);

-- Delegations between zones here, by records of the service's own, that still name other nameservers than the configured ones.
create table former_cuts (
  zone_id uuid not null references zones on delete cascade, -- the zone above
  name text collate "C" not null,            -- where the zone below begins
  primary key (zone_id, name)
);
