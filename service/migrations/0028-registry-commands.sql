-- breaks older code: the commands of orders and of domain changes are in one table
--
-- Commands that change something at a registry, recorded before they are sent. The result of one in 'sending' whose worker is gone, or in
-- 'unknown', is not known: it is looked up, and never sent again blindly.
create table registry_commands (
  id bigint generated always as identity primary key,
  order_id text references orders,
  change_id bigint references domain_acts,   -- exactly one of the two has sent it
  command text not null,                     -- such as 'create' or 'set_nameservers'
  attempt integer,                           -- of an order's command: 1 for the first
  subject text,                              -- of a change's command: the domain, host or contact
  cl_trid text not null unique,
  state text not null check (state in ('sending', 'unknown', 'pending', 'done', 'refused', 'not_done')),
  sent_at timestamptz not null default app_now(),
  ended_at timestamptz,
  missed_at timestamptz,                     -- of an order's command: when a lookup first found nothing of it
  reply_code integer,
  reply text not null default '',
  check ((order_id is null) <> (change_id is null)),
  check (order_id is null or (command in ('contact', 'create', 'renew', 'transfer') and attempt is not null)),
  check (change_id is null or subject is not null)
);

-- A process that was not stopped records no command that would be forgotten.
lock table registry_operations, domain_operations in access exclusive mode;

-- The last command of an owner is the one with the greatest id, so each owner's commands keep their order.
insert into registry_commands
  (order_id, change_id, command, attempt, subject, cl_trid, state, sent_at, ended_at, missed_at, reply_code, reply)
select order_id, null, command, attempt, null, cl_trid, state, sent_at, ended_at, missed_at, reply_code, reply
from registry_operations order by id;
insert into registry_commands
  (order_id, change_id, command, attempt, subject, cl_trid, state, sent_at, ended_at, missed_at, reply_code, reply)
select null, act_id, step, null, subject, cl_trid, state, sent_at, ended_at, null, reply_code, reply
from domain_operations order by id;

-- An order may send another command while a registry decides about one, a domain change may not.
create unique index registry_commands_open_order on registry_commands (order_id) where state in ('sending', 'unknown');
create unique index registry_commands_open_change on registry_commands (change_id) where state in ('sending', 'unknown', 'pending');
create index registry_commands_order on registry_commands (order_id, id);
create index registry_commands_change on registry_commands (change_id, id);

drop table registry_operations;
drop table domain_operations;
