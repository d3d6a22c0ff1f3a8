-- Test deliveries (`POST /webhooks/{id}/test`): attempted once, and no part of the endpoint's failures or of `recover`. Pings sent
-- before this migration have no mark in the history; their type tells them apart.
alter table webhook_deliveries add column test boolean not null default false;
alter table webhook_queue add column test boolean not null default false;
select leave_unanalysed('webhook_deliveries', 'test');
update webhook_queue set test = true where event_type = 'ping';
