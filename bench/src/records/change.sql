-- One change of one rrset as the service writes it, for pgbench: the same tables, rows and indexes, in one transaction.
\set zone random(1, 96)
\set owner random(1, 1600)
\set address random(1, 1000000000)
begin;
select id, serial, version, account_id from zones where id = (select id from bench_zones where n = :zone) for no key update \gset
with part0 as (
  update zones set version = version + 1, serial = serial + 1, rrset_count = rrset_count, bytes = bytes where id = :id::uuid returning serial
), part1 as (
  insert into zone_changes (zone_id, version, serial, at, actor_kind, actor_name, actor_id, changes_count, changes)
  values (:id::uuid, :version + 1, :serial + 1, app_now(), 'key', 'bench 1', 'key_01a1fed03c6e90bed771c22d687a15dc', 1,
    json_build_array(json_build_object('name', 'c' || :owner || '.bench.test', 'type', 'A',
      'before', json_build_object('ttl', 300, 'records', json_build_array(:address::text, '192.0.2.1')),
      'after', json_build_object('ttl', 300, 'records', json_build_array((:address + 1)::text, '192.0.2.2')))))
  returning version
), part2 as (
  insert into zone_rrsets (zone_id, name, type, ttl, records, managed, updated_at)
  values (:id::uuid, 'c' || :owner || '.bench.test', 'A', 300, array[:address::text, '192.0.2.2'], false, app_now())
  on conflict (zone_id, name, type) do update
    set ttl = excluded.ttl, records = excluded.records, managed = excluded.managed, updated_at = excluded.updated_at
  returning type
), part3 as (
  insert into zone_journal (zone_id, from_serial, to_serial, removed, added, bytes)
  values (:id::uuid, :serial, :serial + 1,
    json_build_array(json_build_object('name', 'c' || :owner, 'type', 'A', 'ttl', 300, 'records', json_build_array(:address::text, '192.0.2.1'))),
    json_build_array(json_build_object('name', 'c' || :owner, 'type', 'A', 'ttl', 300, 'records', json_build_array((:address + 1)::text, '192.0.2.2'))), 112)
  returning to_serial
), part4 as (
  insert into audit_log (account_id, actor_kind, actor_name, actor_id, action, zone_id, zone_name, summary, reference, request_id, address)
  values (:account_id::uuid, 'key', 'bench 1', 'key_01a1fed03c6e90bed771c22d687a15dc', 'records.changed', :id::uuid, 'bench.test',
    'c' || :owner || '.bench.test A was changed', json_build_object('version', :version + 1, 'serial', :serial + 1),
    'req_01a1fed03c6e90bed771c22d687a15dc', '127.0.0.1')
  returning id
), part5 as (
  insert into event_outbox (type, recipients, zone_id, serial, data, held, held_since)
  select 'zone.records_changed', array[:account_id::uuid], :id::uuid, :serial + 1,
    json_build_object('zone', json_build_object('id', :id::text, 'name', 'bench.test'), 'serial', :serial + 1, 'replicated', false,
      'changes', json_build_array(json_build_object('name', 'c' || :owner || '.bench.test', 'type', 'A', 'ttl', 300,
        'records', json_build_array(:address::text, '192.0.2.2')))),
    'serial', case when exists (select from event_outbox where zone_id = :id::uuid and held = 'everywhere' for share)
      then 'infinity' else app_now() end
  returning 1
)
select 1;
commit;
