-- API keys may have a TSIG secret, with which programs sign DNS updates, queries and transfers.

-- Each is sealed with the key that is derived from SECRET_KEY for these secrets alone.
create table api_key_tsig (
  key_id text primary key references api_keys on delete cascade,
  secret bytea not null,
  created_at timestamptz not null default app_now()
);

-- The answers to signed updates: a message that comes twice is answered twice, and done once.
create table update_answers (
  key_id text not null,
  mac bytea not null,
  rcode smallint not null,
  -- The sentence of a refusal; null: there is none.
  message text,
  at timestamptz not null default app_now(),
  primary key (key_id, mac)
);

-- Rows are deleted in the order in which they were written.
create index update_answers_at on update_answers using brin (at);

-- How many signed updates each of the account's keys may send in a minute; null: as many as requests.
alter table accounts add column updates_per_minute int check (updates_per_minute > 0);
