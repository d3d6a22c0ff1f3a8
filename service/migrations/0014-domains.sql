-- Domains that accounts have with us at a registry. What the registry says is kept as a fact, with its time.
create table domains (
  id bigint generated always as identity primary key,
  name text collate "C" not null,
  tld text not null,
  account_id uuid not null references accounts,
  state text not null check (state in ('arriving', 'held', 'gone')), -- arriving: its transfer to us is under way
  order_id text not null,                    -- the one that brought it
  contact jsonb,                             -- null: it came by a transfer
  registrant_id text,
  auto_renew boolean not null,
  expires_at timestamptz,
  statuses text[] not null default '{}',     -- RFC 5731 §2.3
  grace_statuses text[] not null default '{}',
  nameservers text[] not null default '{}',
  facts_at timestamptz,                      -- when the registry said so
  sync_at timestamptz,                       -- when it is asked next
  missing_since timestamptz,                 -- when a look first found nothing of it; null: the last one saw it
  transfer_out jsonb,                        -- {requestedBy, requestedAt, actBy}: another registrar has asked for it
  noticed_expiry timestamptz,                -- the expiry that its owner was last reminded of,
  noticed_days integer,                      -- and how many days ahead
  tried_days integer,                        -- and how many days ahead of it an auto-renewal was last ordered, or refused
  created_at timestamptz not null default app_now(),
  gone_at timestamptz,
  gone_reason text
);
create unique index domains_name on domains (name) where state <> 'gone';
create index domains_account on domains (account_id, name) where state <> 'gone';
create index domains_sync on domains (sync_at) where sync_at is not null;
create index domains_expiry on domains (expires_at) where state = 'held';

-- Accounts that manage somebody else's domain, and those that are invited to.
create table domain_managers (
  domain_id bigint not null references domains,
  account_id uuid not null references accounts,
  created_at timestamptz not null default app_now(),
  primary key (domain_id, account_id)
);
create index domain_managers_account on domain_managers (account_id);

create table domain_invitations (
  id text primary key,
  domain_id bigint not null references domains,
  email text not null,                       -- lower-case
  inviter text not null,                     -- the owner's address, as the mail says it
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  unique (domain_id, email)
);
create index domain_invitations_email on domain_invitations (email);

-- What somebody wants of the registry for a domain: one at a time, taken step by step to its end whatever dies between.
create table domain_acts (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains,
  kind text not null check (kind in ('nameservers', 'lock', 'unlock', 'contacts', 'transfer_code', 'approve_transfer', 'reject_transfer', 'restore')),
  wish jsonb not null,                       -- what it is to be like; no contact stays in it at its end
  secret bytea,                              -- sealed: the new transfer code, until it is set
  actor jsonb not null,                      -- who wants it, for the audit log; no name or address stays in it at its end
  relock boolean not null default false,     -- updates were allowed for it: they are prohibited again at its end
  failure jsonb,                             -- {code, message}: refused; what is left is to set things right
  state text not null default 'open' check (state in ('open', 'done', 'refused', 'dropped')),
  lease integer not null default 0,          -- counts those who went on with it: only the latest may
  lease_until timestamptz,                   -- somebody is at it until then at the latest
  due_at timestamptz not null,               -- when to go on with it
  created_at timestamptz not null default app_now(),
  ended_at timestamptz
);
create unique index domain_acts_open on domain_acts (domain_id) where state = 'open';
create index domain_acts_due on domain_acts (due_at) where state = 'open';

-- Its commands, each written before it is sent. Nobody knows what came of one in 'sending' whose process is gone, or in
-- 'unknown': the registry is looked at before anything else is sent.
create table domain_operations (
  id bigint generated always as identity primary key,
  act_id bigint not null references domain_acts,
  step text not null,                        -- what it was to do, such as 'set_nameservers'
  subject text not null,                     -- the domain, host or contact
  cl_trid text not null unique,
  state text not null check (state in ('sending', 'unknown', 'pending', 'done', 'refused', 'not_done')),
  sent_at timestamptz not null default app_now(),
  ended_at timestamptz,
  reply_code integer,
  reply text not null default ''
);
create unique index domain_operations_open on domain_operations (act_id) where state in ('sending', 'unknown', 'pending');
create index domain_operations_act on domain_operations (act_id, id);
