-- How much an account may change in a day, so that none fills the disk.

alter table accounts add column daily_change_bytes bigint check (daily_change_bytes >= 0); -- what an operator has allowed; null: as much as usual

-- Bytes of the request bodies by which an account changed something, on the last day on which it did.
create table account_change_bytes (
  account_id uuid primary key references accounts,
  day date not null,                         -- in UTC
  bytes bigint not null
);
