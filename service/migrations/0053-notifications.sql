-- Older code runs on this schema; it sends every email to the address of the account only.

-- The topics whose optional emails the account's address does not get; null: it gets all of them.
alter table accounts add column muted_topics text[];
-- The time zone in which the dashboard shows times; null: that of the browser.
alter table accounts add column time_zone text;

-- Further addresses that get an account's emails about some topics, once whoever reads them has confirmed.
create table account_addresses (
  account_id uuid not null references accounts on delete cascade,
  email text not null,
  topics text[] not null,
  created_at timestamptz not null default app_now(),
  confirmed_at timestamptz,
  primary key (account_id, email)
);
create index account_addresses_unconfirmed on account_addresses (created_at) where confirmed_at is null;
