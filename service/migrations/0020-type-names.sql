-- breaks older code: it cannot read a zone that has a record of a type whose name it does not know
-- Record types that now have a name are stored under it. They were TYPE262 and the like, in the records and in the history.
create temporary table type_names (old text primary key, new text not null) on commit drop;
insert into type_names values
  ('TYPE31', 'EID'),
  ('TYPE32', 'NIMLOC'),
  ('TYPE34', 'ATMA'),
  ('TYPE38', 'A6'),
  ('TYPE40', 'SINK'),
  ('TYPE56', 'NINFO'),
  ('TYPE57', 'RKEY'),
  ('TYPE58', 'TALINK'),
  ('TYPE66', 'DSYNC'),
  ('TYPE67', 'HHIT'),
  ('TYPE68', 'BRID'),
  ('TYPE259', 'DOA'),
  ('TYPE260', 'AMTRELAY'),
  ('TYPE261', 'RESINFO'),
  ('TYPE262', 'WALLET'),
  ('TYPE263', 'CLA'),
  ('TYPE264', 'IPN'),
  ('TYPE32768', 'TA');

update zone_rrsets set type = type_names.new from type_names where type = type_names.old;

update zone_changes set changes = (
    select json_agg(
      case when type_names.new is null then move.item
      else (move.item::jsonb || jsonb_build_object('type', type_names.new))::json end order by move.place)
    from json_array_elements(zone_changes.changes) with ordinality as move (item, place)
    left join type_names on type_names.old = move.item->>'type')
where changes::text like '%TYPE%' and exists (
  select 1 from json_array_elements(zone_changes.changes) as move
  where move->>'type' like 'TYPE%' and move->>'type' in (select old from type_names));
