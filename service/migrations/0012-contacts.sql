-- Who has a domain, or is to have it. Orders and domains keep a copy of what they were made with.
create table contacts (
  id text primary key,
  account_id uuid not null references accounts,
  name text not null,
  organization text not null,
  email text not null,
  phone text not null,                       -- E.164
  address1 text not null,
  address2 text not null,
  city text not null,
  state text not null,
  postal_code text not null,
  country text not null,                     -- ISO 3166-1, two letters
  extra jsonb not null,                      -- what some TLDs ask for
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create index contacts_account on contacts (account_id, id);
