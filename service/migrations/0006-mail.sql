-- Mails to people: written in the transaction that is their reason, sent after it.

create table mails (
  id text primary key,                       -- makes the Message-ID: a repeat has the same
  kind text not null,
  to_address text not null,
  content bytea,                             -- encrypted: subject, text, HTML; null once it is sent or given up
  once text unique,                          -- what it is about, where one mail about it is enough
  queued_at timestamptz not null default app_now(),
  request_id text,                           -- the request that it comes of, for the log
  give_up_at timestamptz not null,           -- nothing is sent from here on
  due_at timestamptz,                        -- when to try next; doubles as the lease's expiry; null once it is sent or given up
  lease uuid,
  attempts integer not null default 0,       -- that came to an end
  failure text,                              -- of the last attempt, in one word; 'too_late' when it was never tried in time
  reply text,                                -- the server's codes
  sent_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_age on mails (queued_at);
