-- Rows that the use of an installation does not leave behind: tables that are empty most of the time, and states that last for
-- moments. create-database.ts runs this file after use-installation.ts.

create temporary view demo as select id, email from accounts where email = 'demo@zonewright.test';
create temporary view manager as select id, email from accounts where email = 'manager@example.net';
create temporary view parent as select id, email from accounts where email = 'parent@example.net';

-- Accounts: one whose deletion can be undone, one that was erased, limits, and a failed password of a browser that is not known.
insert into accounts (email, name, deleted_at, deleted_email, erased_at) values
  ('deleted:00000000-0000-4000-8000-000000000001', 'Leaver', app_now(), 'leaver@example.net', null),
  ('deleted:00000000-0000-4000-8000-000000000002', '', app_now() - interval '8 days', null, app_now());
update accounts set zone_limit = 50, daily_change_bytes = 1000000 where id = (select id from parent);

-- Zones.
insert into zones (name, account_id, state, origin, serial, catalog_label, rrset_limit, live_at, deleted_at, lost_at)
select v.name, a.id, v.state, v.origin, v.serial, new_id('z', app_now()), v.rrset_limit, v.live_at, v.deleted_at, v.deleted_at
from (values
  ('manager@example.net', 'shared.example', 'pending', 'added', 1, 10000, null, null),
  ('parent@example.net', 'proved.example', 'live', 'verified', 4294967295, 10000, app_now(), null),
  ('parent@example.net', 'lost.example', 'deleted', 'added', 7, null, null, app_now())
) v (email, name, state, origin, serial, rrset_limit, live_at, deleted_at) join accounts a on a.email = v.email;
create temporary view one as select
  (select id from zones where name = 'shared.example' and state = 'live') as shared,
  (select id from zones where name = 'shared.example' and state = 'pending') as rival,
  (select id from zones where name = 'released.example') as released,
  (select id from zones where name = 'proved.example') as proved,
  (select id from zones where name = 'lost.example') as lost,
  (select id from zones where name = 'free.example.net') as free;
insert into zone_verifications (zone_id, token, due_at, checks, checked_at, outcome)
select v.zone_id, 'zonewright-verification-' || md5(v.outcome || v.checks), v.due_at, v.checks, app_now(), v.outcome
from one, lateral (values
  (rival, app_now(), 2, 'absent'), (released, null, 5, 'unknown'), (proved, null, 5, 'refused')
) v (zone_id, due_at, checks, outcome);
insert into zone_contests (live_zone_id, zone_id, ends_at, due_at)
select shared, rival, app_now() + interval '3 days', app_now() from one;
update zone_delegations set state = 'lost', candidate = 'missing', candidate_at = app_now(), checked_at = app_now()
where zone_id = (select shared from one);
update zone_delegations set state = 'partial' where zone_id = (select released from one);
update zone_delegations set state = 'missing', failure = 'timeout' where zone_id = (select proved from one);
insert into zone_managers (zone_id, account_id) select shared, manager.id from one, manager;
insert into former_nameservers (zone_id, names) select released, '{ns1.old.example,ns2.old.example}' from one;
insert into former_cuts (zone_id, name) select free, 'old.free.example.net' from one;
insert into free_subdomains (name, account_id, zone_id, released_at)
select 'old.free.example.net', parent.id, lost, app_now() from one, parent;
insert into zone_serials (name, serial) values ('erased.example', 41);
insert into zone_moves (zone_id, zone_name, catalog_label, live)
select id, name, catalog_label, state = 'live' from zones where name in ('proved.example', 'lost.example');
insert into unwritable_rrsets (zone_id, name, type, removed_in)
select id, name, v.type, v.removed_in from zones, (values ('CDS', null), ('DNSKEY', 1)) v (type, removed_in) where name = 'example.test';
insert into nameservers (name, address, position, retired_at) values ('ns2.old.example', '192.0.2.53:53', 9, app_now());
update nameservers set lagging_since = app_now() where position = 1;
insert into zones_behind (zone_id, nameserver, serial)
select z.id, n.name, z.serial from zones z, nameservers n where z.name = 'example.test' and n.position = 1;

-- Orders in every stage, and in the states that were left out: copies of an order that was paid by credit and a promo code.
create temporary view rare_orders as select * from (values
  ('sending.test', 'register', 'processing', 'sending', null, 'consumed'),
  ('checking.test', 'register', 'processing', 'checking', null, 'consumed'),
  ('pending.test', 'register', 'processing', 'registry_pending', null, 'consumed'),
  ('stuck.test', 'register', 'processing', 'action_required', null, 'consumed'),
  ('moving.test', 'transfer', 'processing', 'registry_pending', null, 'consumed'),
  ('refunding.test', 'register', 'failed', 'refunding', null, 'freed'),
  ('expired.test', 'register', 'cancelled', null, 'expiry', 'freed'),
  ('refused.test', 'register', 'cancelled', null, 'refusal', 'freed'),
  ('half-one.test', 'register', 'pending_payment', 'awaiting_payment', null, 'reserved'),
  ('half-two.test', 'register', 'pending_payment', 'awaiting_payment', null, 'reserved')
) v (name, kind, status, stage, cancelled_by, promo);
insert into orders select (jsonb_populate_record(o, jsonb_build_object(
  'id', new_id('ord', app_now()), 'name', v.name, 'kind', v.kind, 'status', v.status, 'stage', v.stage, 'cancelled_by', v.cancelled_by,
  'stage_message', coalesce(v.stage, ''),
  'paid_at', case when v.status in ('processing', 'failed') then app_now() end,
  'finished_at', case when v.status in ('cancelled', 'failed') then app_now() end,
  'settled_at', null,
  'expires_at', case when v.status = 'pending_payment' then app_now() + interval '1 day' end,
  'step_at', case when v.status in ('processing', 'failed') then app_now() end
))).*
from orders o, rare_orders v where o.name = 'credit-shop.test';
insert into promo_uses (order_id, code, account_id, state, ended_at)
select o.id, o.promo_code, o.account_id, v.promo, case when v.promo <> 'reserved' then app_now() end from orders o join rare_orders v using (name);
insert into credit_holds (order_id, account_id, amount_kobo)
select id, account_id, credit_kobo from orders where status = 'pending_payment' and credit_kobo > 0;
insert into ledger_entries (kind, from_book, to_book, amount_kobo, account_id, order_id)
select 'credit_used', 'credit', 'order', o.credit_kobo, o.account_id, o.id
from orders o join rare_orders v using (name) where v.status in ('processing', 'failed');
insert into ledger_entries (kind, from_book, to_book, amount_kobo, account_id, note)
select v.kind, v.from_book, v.to_book, 5000, demo.id, 'every book' from demo, (values
  ('credit_revoked', 'credit', 'grants'), ('sale_reversed', 'sales', 'credit')
) v (kind, from_book, to_book);
insert into quotes select (jsonb_populate_record(q, jsonb_build_object('id', new_id('quo', app_now()), 'name', 'moving.test', 'kind', 'transfer'))).*
from quotes q where q.name = 'credit-shop.test';
insert into promo_codes (code, fixed_kobo, kinds, tlds, account_id, ends_at, max_uses, once_an_account, disabled_at)
select 'FIXED-2026', 100000, '{register,renew}', '{test}', id, app_now() + interval '1 year', 10, false, app_now() from demo;
insert into payments select (jsonb_populate_record(p, jsonb_build_object(
  'id', new_id('pay', app_now()), 'reference', 'pay-' || v.name, 'status', v.status, 'counted_as', v.counted_as, 'refund_state', v.refund_state,
  'step_at', case when v.refund_state in ('wanted', 'posted') then app_now() end
))).*
from payments p join orders o on o.id = p.order_id, (values
  ('failed', 'failed', null, null),
  ('surplus', 'succeeded', 'surplus', 'wanted'),
  ('posted', 'succeeded', 'surplus', 'posted'),
  ('attention', 'succeeded', 'surplus', 'needs_attention')
) v (name, status, counted_as, refund_state) where o.name = 'refunded.test';

-- Domains, changes of each kind, and commands of orders and of changes in each state.
insert into domains (name, tld, account_id, state, order_id, contact, registrant_id, auto_renew, sync_at, transfer_out, gone_at, gone_reason)
select v.name, d.tld, d.account_id, v.state, o.id, d.contact, d.registrant_id, false, v.sync_at, null, v.gone_at, v.gone_reason
from domains d, (values
  ('moving.test', 'arriving', 'moving.test', app_now(), null, null),
  ('left.test', 'gone', 'refunded.test', null, app_now(), 'transferred')
) v (name, state, order_name, sync_at, gone_at, gone_reason) join orders o on o.name = v.order_name
where d.name = 'card-shop.test';
insert into domain_managers (domain_id, account_id) select d.id, manager.id from domains d, manager where d.name = 'card-shop.test';
insert into domain_acts (domain_id, kind, wish, actor, state, lease, failure, due_at, ended_at)
select d.id, v.kind, jsonb_build_object('kind', v.kind), '{"id": null, "kind": "system", "name": "", "source": "system", "address": null, "requestId": null}',
  v.state, 1, v.failure::jsonb, app_now(), case when v.state <> 'open' then app_now() end
from (values
  ('credit-shop.test', 'unlock', 'done', null),
  ('credit-shop.test', 'transfer_code', 'dropped', null),
  ('credit-shop.test', 'restore', 'open', null),
  ('card-shop.test', 'contacts', 'refused', '{"code": "conflict", "message": "The registry refused it (2304)."}'),
  ('card-shop.test', 'reject_transfer', 'done', null),
  ('card-shop.test', 'lock', 'open', null),
  ('left.test', 'approve_transfer', 'done', null)
) v (name, kind, state, failure) join domains d on d.name = v.name;
insert into registry_commands (order_id, command, attempt, cl_trid, state, ended_at, missed_at, reply_code)
select o.id, v.command, v.attempt, 'ZW-' || left(md5(v.name || v.attempt), 24), v.state,
  case when v.state in ('done', 'refused', 'not_done') then app_now() end, v.missed_at, v.reply_code
from (values
  ('sending.test', 'create', 1, 'not_done', app_now(), null),
  ('sending.test', 'create', 2, 'sending', null, null),
  ('checking.test', 'create', 1, 'unknown', app_now(), null),
  ('stuck.test', 'create', 1, 'unknown', null, null),
  ('pending.test', 'create', 1, 'pending', null, 1001),
  ('moving.test', 'transfer', 1, 'pending', null, 1001),
  ('refunding.test', 'create', 1, 'refused', null, 2306)
) v (name, command, attempt, state, missed_at, reply_code) join orders o on o.name = v.name;
insert into registry_commands (change_id, command, subject, cl_trid, state, ended_at, reply_code)
select a.id, v.command, d.name, 'ZW-' || left(md5(v.command || v.state), 24), v.state,
  case when v.state in ('done', 'refused', 'not_done') then app_now() end, v.reply_code
from (values
  ('restore', 'restore', 'pending', 1001),
  ('transfer_code', 'set_code', 'unknown', null),
  ('lock', 'lock', 'not_done', null),
  ('lock', 'lock', 'sending', null),
  ('contacts', 'set_registrant', 'refused', 2304)
) v (kind, command, state, reply_code) join domain_acts a on a.kind = v.kind and (v.kind <> 'lock' or a.state = 'open')
join domains d on d.id = a.domain_id;

-- Events, webhooks and mails on their way.
insert into event_outbox (type, recipients, zone_id, serial, data, bytes, held, held_since)
select v.type, array[parent.id], proved, 4294967295, '{"zone":{}}', 11, v.held, v.since from one, parent, (values
  ('zone.records_changed', 'serial', app_now()), ('zone.created', 'everywhere', app_now()), ('zone.deleted', 'turn', 'infinity')
) v (type, held, since);
insert into webhook_endpoints (id, account_id, url, description, secrets, state, disabled_at, disabled_reason)
select new_id('whe', app_now()), account_id, url, 'turned off', secrets, 'disabled', app_now(), 'failing'
from webhook_endpoints where description = 'The sandbox receiver';
update webhook_deliveries set status = 'failed', last_status = 500, last_failure = 'status', finished_at = app_now()
where (event_day, id) = (select event_day, id from webhook_deliveries where event_type = 'order.paid' limit 1);
update webhook_deliveries set status = 'skipped', last_status = null, finished_at = app_now()
where (event_day, id) = (select event_day, id from webhook_deliveries where event_type = 'order.cancelled' limit 1);
insert into mails (id, kind, to_address, queued_at, give_up_at, failure)
select new_id('mail', app_now()), 'zone_lost', email, app_now() - interval '3 days', app_now() - interval '1 day', 'too_late' from parent;
insert into idempotency_keys (caller, key, request_mac) values ('key_under_way', 'under-way', '\x00');

-- What pg-boss has no rows for in an installation that has run for a minute.
insert into pgboss.bam (name, version, status, queue, table_name, command, started_on, completed_on)
values ('done', 30, 'completed', null, 'job', 'select 1', now(), now());
insert into pgboss.job_common (name, state, policy, started_on, completed_on) values ('__pgboss__send-it', 'completed', 'standard', now(), now());
insert into pgboss.subscription (event, name) values ('release', '__pgboss__send-it');
insert into pgboss.warning (type, message) values ('queue_backlog', 'A queue was long.');

-- Keep the file small: one of each kind is enough. A trigger keeps others from the audit log.
set session_replication_role = replica;
delete from audit_log where id not in (select min(id) from audit_log group by action, actor_kind, source);
delete from webhook_attempts where delivery_id not in
  (select min(delivery_id) from webhook_attempts group by status, failure union select delivery_id from webhook_queue);
delete from webhook_deliveries where id not in
  (select min(id) from webhook_deliveries group by event_type, status union select delivery_id from webhook_queue);
delete from events where id not in (select event_id from webhook_deliveries);
update api_key_windows set recent = recent[1:3];

-- `migrate` creates the partitions that a database needs.
do $$
declare
  part regclass;
  is_empty boolean;
begin
  for part in
    select relid from pg_class, pg_partition_tree(oid) where relkind = 'p' and relnamespace = 'public'::regnamespace and isleaf
  loop
    execute format('select not exists (select from %s)', part) into is_empty;
    if is_empty then execute format('drop table %s', part); end if;
  end loop;
end $$;
