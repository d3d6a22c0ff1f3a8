-- Quotes, orders, and what was sent to registries for them.

create table quotes (
  id text primary key,
  account_id uuid not null references accounts,
  kind text not null check (kind in ('register', 'renew', 'transfer')),
  name text collate "C" not null,            -- as zones.name
  tld text not null,
  years integer not null,
  available boolean not null,
  premium boolean not null,
  amount_kobo bigint not null,
  promo_code text not null,                  -- '' when none
  promo_kobo bigint not null,
  renewal_kobo bigint not null,
  fee jsonb,                                 -- of a premium name: what the registry asks for the whole term
  old_expiry timestamptz,                    -- of a renewal: the expiry that it was quoted for
  requirements jsonb not null,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
create index quotes_age on quotes (created_at);

create table orders (
  id text primary key,
  account_id uuid not null references accounts,
  key_id text,                               -- null: a person or the service itself placed it
  request_id text,                           -- the request that placed it, for the log
  kind text not null check (kind in ('register', 'renew', 'transfer')),
  name text collate "C" not null,
  tld text not null,
  years integer not null,
  status text not null check (status in ('pending_payment', 'processing', 'completed', 'failed', 'cancelled', 'refunded', 'credited')),
  cancelled_by text check (cancelled_by in ('expiry', 'owner', 'refusal')),
  amount_kobo bigint not null check (amount_kobo >= 0),
  credit_kobo bigint not null check (credit_kobo >= 0),
  promo_code text not null,
  promo_kobo bigint not null check (promo_kobo >= 0),
  card_kobo bigint not null default 0 check (card_kobo >= 0), -- what a card has really paid towards it
  renewal_kobo bigint not null,
  fee jsonb,
  client_email text not null,
  last_error text not null default '',
  stage text check (stage in ('awaiting_payment', 'sending', 'registry_pending', 'checking', 'action_required', 'refunding')),
  stage_message text not null default '',
  act_by timestamptz,
  created_at timestamptz not null default app_now(),
  paid_at timestamptz,
  finished_at timestamptz,
  settled_at timestamptz,                    -- the money is kept: a transfer's only once the domain has arrived
  expires_at timestamptz,                    -- unpaid orders alone
  contact jsonb,                             -- a copy
  auto_renew boolean not null,
  nameservers text[] not null,
  -- For the registry; the same in every attempt.
  auth_code bytea,                           -- sealed: a transfer's code, or the one that a registration sets
  registrant_id text,                        -- the contact's id at the registry
  old_expiry timestamptz,                    -- a renewal's: a resent one cannot renew twice
  doubted_at timestamptz,                    -- since when looks have found a transfer neither under way nor arrived
  -- When the worker takes the next step; while it does, the end of its lease.
  step_at timestamptz,
  check (amount_kobo >= credit_kobo + promo_kobo)
);
create unique index orders_open on orders (account_id, name) where status in ('pending_payment', 'processing');
create index orders_account on orders (account_id, id desc);
create index orders_key on orders (key_id, created_at) where key_id is not null;
create index orders_step on orders (step_at) where step_at is not null;
create index orders_expiry on orders (expires_at) where status = 'pending_payment';
create index orders_renewals on orders (name, old_expiry) where kind = 'renew' and status = 'completed';
create index orders_name on orders (name) where step_at is not null; -- those that a registry's message may hurry

-- Commands that change something at a registry, written before they are sent. Nobody knows what came of one in 'sending' whose
-- worker is gone, or in 'unknown': it is looked for, and never sent again blindly.
create table registry_operations (
  id bigint generated always as identity primary key,
  order_id text not null references orders,
  command text not null check (command in ('contact', 'create', 'renew', 'transfer')),
  attempt integer not null,
  cl_trid text not null unique,
  state text not null check (state in ('sending', 'unknown', 'pending', 'done', 'refused', 'not_done')),
  sent_at timestamptz not null default app_now(),
  ended_at timestamptz,
  missed_at timestamptz,                     -- when a look first found that nothing had happened
  reply_code integer,
  reply text not null default ''
);
create unique index registry_operations_open on registry_operations (order_id) where state in ('sending', 'unknown');
create index registry_operations_order on registry_operations (order_id, id);
