-- Older code runs on this schema; it offers no sign-in with providers.

-- People as sign-in providers (OpenID Connect, GitHub) know them, and the accounts that they sign in to.
create table account_providers (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  issuer text not null,                           -- as configured; of GitHub https://github.com
  subject text not null,                          -- who it is for the issuer, whatever the address
  name text not null,                             -- of the provider, when it was linked
  email text,                                     -- that the provider had verified, for display
  created_at timestamptz not null default app_now(),
  last_used_at timestamptz,
  unique (issuer, subject)
);
create index account_providers_account on account_providers (account_id);
