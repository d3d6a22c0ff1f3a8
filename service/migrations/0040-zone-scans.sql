-- Scans: what zones have at their current DNS providers, to be reviewed and imported. Older code does not use these tables.

create table zone_scans (
  id uuid primary key default gen_random_uuid(),
  zone_id uuid not null references zones on delete cascade,
  account_id uuid not null references accounts on delete cascade,   -- of the caller: it may start a limited number
  state text not null default 'waiting',          -- waiting, running, done, failed
  created_at timestamptz not null,
  due_at timestamptz,                             -- when a worker may claim it; doubles as the lease of the worker; null: it has ended
  finished_at timestamptz,
  questions integer not null default 0,           -- messages sent to nameservers
  records integer not null default 0,             -- records found
  nameserver text collate "C",                    -- the host name of the nameserver that answered
  method text,                                    -- transfer, questions
  is_complete boolean not null default false,     -- nothing is missing: it was transferred, or its NSEC chain was followed to the end
  zone_file text,
  failure text
);
create index zone_scans_due on zone_scans (due_at) where due_at is not null;
create index zone_scans_zone on zone_scans (zone_id, created_at);
create index zone_scans_account on zone_scans (account_id, created_at);
create index zone_scans_finished on zone_scans (finished_at);

-- The addresses of nameservers that scans are asking, over all customers: one scan at a time.
create table scan_addresses (
  address text collate "C" primary key,
  scan_id uuid not null,                          -- not a reference: the address stays taken until its lease ends
  until timestamptz not null
);
