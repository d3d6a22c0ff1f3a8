-- Saved cards for auto-renew. Older code runs on this schema; it saves no card and charges none.

create table cards (
  id text primary key,                       -- card_…
  account_id uuid not null references accounts,
  signature text not null,                   -- the gateway's: the same for the same card
  code bytea not null,                       -- sealed: the gateway's authorization, with which the card can be charged
  email text not null,                       -- the address that it was paid with; the gateway charges it for no other
  brand text not null,
  last4 text not null,
  expiry_month smallint not null check (expiry_month between 1 and 12),
  expiry_year smallint not null check (expiry_year between 2000 and 2199),
  noticed_at timestamptz,                    -- when its owner was told that it expires
  created_at timestamptz not null default app_now(),
  removed_at timestamptz,                    -- since then nobody charges it; the row goes once the gateway has deactivated the code
  step_at timestamptz,                       -- when the gateway is next asked to deactivate it
  tries integer not null default 0
);
create unique index cards_account on cards (account_id, signature) where removed_at is null;
create index cards_step on cards (step_at) where step_at is not null;

-- The owner of a domain allows one card to be charged for its auto-renew.
create table card_consents (
  order_id text primary key,                 -- the order that brought the domain: no later domain of that name has the same
  account_id uuid not null references accounts,
  name text collate "C" not null,
  card_id text not null references cards on delete cascade,
  consented_at timestamptz not null default app_now()
);
create index card_consents_card on card_consents (card_id, name);

-- `save_card`: the payer wants the card saved. `card_id`: a saved card that is charged without its owner; `charge` says how far that is:
-- `confirm`: the bank wants its owner to confirm it.
alter table payments add column save_card boolean not null default false, add column card_id text,
  add column charge text check (charge in ('wanted', 'sent', 'confirm')), add column charged_at timestamptz;
