-- How zones are proved to be somebody's, shared, claimed and forgotten.

-- The last serial of names whose zones were erased: the line of serials of a name goes on (design: dns, "Publication").
create table zone_serials (
  name text collate "C" primary key,
  serial bigint not null
);

-- What would prove control of a name now: one a pending zone, and one for the owner of a live zone that is contested.
create table zone_verifications (
  zone_id uuid primary key references zones on delete cascade,
  token text not null unique,
  began_at timestamptz not null default app_now(),
  due_at timestamptz,                        -- when to look next by itself; doubles as the lease's expiry; null: only when asked
  checks integer not null default 0,         -- made by itself
  checked_at timestamptz,
  outcome text check (outcome in ('absent', 'unknown', 'refused'))
);
create index zone_verifications_due on zone_verifications (due_at) where due_at is not null;

-- A fresh proof against a live zone: at `ends_at` the zone moves, unless its owner has proved control meanwhile.
create table zone_contests (
  live_zone_id uuid primary key references zones on delete cascade,
  zone_id uuid not null unique references zones on delete cascade, -- the challenger's, pending
  began_at timestamptz not null default app_now(),
  ends_at timestamptz not null,
  due_at timestamptz not null                -- when to look; doubles as the lease's expiry
);
create index zone_contests_due on zone_contests (due_at);

create table zone_invitations (
  id text primary key,
  zone_id uuid not null references zones on delete cascade,
  email text not null,                       -- lower-case
  inviter text not null,                     -- the owner's address, as the mail says it
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  unique (zone_id, email)
);
create index zone_invitations_email on zone_invitations (email);
-- How many invitations an account has sent, by the hour: each is a mail to somebody who has not asked for it.
create table invitation_hours (
  account_id uuid not null references accounts,
  hour timestamptz not null,
  sent integer not null,
  primary key (account_id, hour)
);

-- Names under FREE_PARENTS that are claimed, or held after their deletion.
create table free_subdomains (
  name text collate "C" primary key,
  account_id uuid not null references accounts,
  zone_id uuid not null,
  claimed_at timestamptz not null default app_now(),
  released_at timestamptz                    -- its zone was deleted
);
create index free_subdomains_account on free_subdomains (account_id);
create index free_subdomains_zone on free_subdomains (zone_id);
