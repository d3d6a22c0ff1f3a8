-- Where domains are registered, so that the dashboard can say where to set their nameservers. Older code runs on this schema.

create table registrars (
  domain text collate "C" primary key,            -- the registered domain, of zones with this name or below it
  account_id uuid references accounts on delete set null, -- who caused the last query: an account may cause a limited number
  asked_at timestamptz not null,                  -- of the last query of the registry
  answered_at timestamptz,                        -- of the last answer; null: there was none
  name text,                                      -- as last answered; null: the registry does not say
  url text,
  is_ours boolean not null default false          -- registered with this service
);
create index registrars_asked on registrars (asked_at);
create index registrars_account on registrars (account_id, asked_at);

-- When the domain first pointed here: its owner gets one email about it.
alter table zone_delegations add column first_live_at timestamptz;
update zone_delegations set first_live_at = since where state in ('live', 'lost', 'missing');
