-- A sign-up stores only an address. The account, with its name and password, is created when the link in the mail is used.
create table account_sign_ups (
  token_sha256 bytea primary key,           -- the link's token itself is not stored
  email text not null,                      -- lower-case
  expires_at timestamptz not null
);
create index account_sign_ups_email on account_sign_ups (email);
create index account_sign_ups_age on account_sign_ups (expires_at);

-- Failed guesses of passwords and codes, and until when further ones must wait.
create table account_guesses (
  subject text not null,                    -- the account's id; an email address without an account; '' for a network's total
  kind text not null,                       -- what was guessed
  source text not null,                     -- a network, a known device, or '' for the account's total
  failures double precision not null default 0, -- at last_at; halved by each day since
  free_at timestamptz not null default app_now(), -- no guess is evaluated before
  last_at timestamptz not null default app_now(),
  recent timestamptz[] not null default '{}', -- failures of the last hour, for the mail to the owner
  primary key (subject, kind, source)
);
create index account_guesses_source on account_guesses (source, kind) where subject = '';
create index account_guesses_age on account_guesses (last_at);

-- Browsers that have completed a sign-in. They skip the delays after failed guesses, and are not reported as new.
create table account_devices (
  device_sha256 bytea not null,             -- of the id in the cookie
  account_id uuid not null references accounts,
  session_id uuid not null,                 -- the latest session signed in from it; ending that session removes the device
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  primary key (account_id, device_sha256)
);
create index account_devices_age on account_devices (expires_at);

-- Accounts whose address was never confirmed may have a password and a name chosen by somebody else. Their owners choose both when they
-- use the link of a new sign-up, or reset the password.
update account_credentials c set password = null from accounts a where a.id = c.user_id and not a.email_confirmed;
update accounts set name = '' where not email_confirmed and deleted_at is null;
