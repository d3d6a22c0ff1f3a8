-- Zones that still name other nameservers than the configured ones: all that were live when NAMESERVERS changed, until
-- each has been given a serial with the new names (docs/runbooks/secondaries.md).
create table former_nameservers (
  zone_id uuid primary key references zones on delete cascade,
  names text[] not null                      -- in their order; the first is the SOA's mname
);
