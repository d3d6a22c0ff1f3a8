-- Domains that accounts have with us at a registry. What the registry says is kept as a fact, with its time.
create table domains (
  id bigint generated always as identity primary key,
  name text collate "C" not null,
  tld text not null,
  account_id uuid not null references accounts,
  state text not null check (state in ('arriving', 'held', 'gone')), -- arriving: its transfer to us is under way
  order_id text not null,                    -- the one that brought it
  contact jsonb,                             -- null: it came by a transfer
  registrant_id text,
  auto_renew boolean not null,
  expires_at timestamptz,
  statuses text[] not null default '{}',     -- RFC 5731 §2.3
  grace_statuses text[] not null default '{}',
  nameservers text[] not null default '{}',
  facts_at timestamptz,                      -- when the registry said so
  sync_at timestamptz,                       -- when it is asked next
  created_at timestamptz not null default app_now(),
  gone_at timestamptz,
  gone_reason text
);
create unique index domains_name on domains (name) where state <> 'gone';
create index domains_account on domains (account_id, name) where state <> 'gone';
create index domains_sync on domains (sync_at) where sync_at is not null;
create index domains_expiry on domains (expires_at) where state = 'held';
