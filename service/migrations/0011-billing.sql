-- Money: promo codes, credit, and the ledger. Amounts are whole kobo.

create table promo_codes (
  code text primary key,                     -- upper-case letters, digits and hyphens
  percent integer check (percent between 1 and 100),
  fixed_kobo bigint check (fixed_kobo > 0),
  kinds text[],                              -- null: every kind of order
  tlds text[],                               -- null: every TLD
  account_id uuid references accounts,       -- null: anybody's
  starts_at timestamptz not null default app_now(),
  ends_at timestamptz,
  max_uses integer check (max_uses > 0),     -- null: any number
  once_an_account boolean not null default true,
  disabled_at timestamptz,
  created_at timestamptz not null default app_now(),
  check (num_nonnulls(percent, fixed_kobo) = 1)
);

-- An order's part in a promo code: reserved while it is open, then consumed or freed. A late payment may reserve it again.
create table promo_uses (
  order_id text primary key,
  code text not null references promo_codes,
  account_id uuid not null references accounts,
  state text not null check (state in ('reserved', 'consumed', 'freed')),
  reserved_at timestamptz not null default app_now(),
  ended_at timestamptz
);
create index promo_uses_code on promo_uses (code, account_id) where state <> 'freed';

-- Credit that an unpaid order has set aside. It is spent (an entry of the ledger) or given up, and gone from here either way.
create table credit_holds (
  order_id text primary key,
  account_id uuid not null references accounts,
  amount_kobo bigint not null check (amount_kobo > 0),
  created_at timestamptz not null default app_now()
);
create index credit_holds_account on credit_holds (account_id);

-- The ledger, double entry: each row takes an amount out of one book and puts it into another, so that all books together are
-- always nothing. Books: 'card' (the gateway's side), 'grants' (the operator's), 'credit' (one for each account), 'order' (one for
-- each order: money that is owed a domain or its return), 'sales' (money that is kept).
create table ledger_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null default app_now(),
  kind text not null,
  from_book text not null check (from_book in ('card', 'grants', 'credit', 'order', 'sales')),
  to_book text not null check (to_book in ('card', 'grants', 'credit', 'order', 'sales')),
  amount_kobo bigint not null check (amount_kobo > 0),
  account_id uuid not null references accounts,
  order_id text,
  payment_id text,                           -- of a payment beyond the one that the order needed
  note text not null default '',
  check (from_book <> to_book)
);
create unique index ledger_entries_once on ledger_entries (order_id, kind) where payment_id is null;
create unique index ledger_entries_once_a_payment on ledger_entries (payment_id, kind) where payment_id is not null;
create index ledger_entries_credit on ledger_entries (account_id, id) where from_book = 'credit' or to_book = 'credit';
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();
