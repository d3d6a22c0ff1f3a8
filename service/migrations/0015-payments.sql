-- Attempts to pay an order by card, one reference at the gateway each, and what became of the money.
create table payments (
  id text primary key,
  reference text not null unique,            -- letters, digits and hyphens
  order_id text not null references orders,
  account_id uuid not null references accounts,
  email text not null,                       -- the payer's; empty once the account is erased
  amount_kobo bigint not null check (amount_kobo > 0),
  status text not null check (status in ('open', 'succeeded', 'failed')),
  counted_as text check (counted_as in ('order', 'surplus')),
  paid_kobo bigint,                          -- what really came
  checkout_url text,
  refund_state text check (refund_state in ('wanted', 'posted', 'processed', 'failed', 'needs_attention')),
  refund_id text,                            -- the gateway's
  refund_wanted_at timestamptz,              -- since when the money is owed to its card
  tries integer not null default 0,          -- since the last change
  asked_at timestamptz,                      -- when the gateway was last asked how it stands, whether it answered or not
  looked_at timestamptz,                     -- when the gateway last said that it is not paid
  created_at timestamptz not null default app_now(),
  step_at timestamptz,                       -- when the gateway is asked next
  held_until timestamptz                     -- a worker, or who opens its page, has it in hand until then
);
create index payments_order on payments (order_id, created_at);
create index payments_step on payments (step_at) where step_at is not null;
create index payments_attention on payments (order_id) where refund_state = 'needs_attention';

-- Links by which somebody without an account pays one order.
create table pay_links (
  order_id text primary key references orders,
  token_sha256 bytea not null unique,
  token bytea not null,                      -- sealed: the dashboard shows the link again
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
