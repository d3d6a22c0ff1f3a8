-- Older code runs on this schema; it offers no passkeys.

create table account_passkeys (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,                      -- SubjectPublicKeyInfo, DER
  algorithm int not null,                         -- COSE: -7 ES256, -8 EdDSA, -257 RS256
  sign_count bigint not null,
  transports text[] not null,
  is_synced boolean not null,                     -- kept by a password manager in more than one place
  name text not null,
  created_at timestamptz not null default app_now(),
  last_used_at timestamptz
);
create index account_passkeys_account on account_passkeys (account_id);

-- Challenges that a passkey has answered: each is answered once.
create table account_used_challenges (
  challenge bytea primary key,
  used_at timestamptz not null default app_now()
);
create index account_used_challenges_used_at on account_used_challenges (used_at);
