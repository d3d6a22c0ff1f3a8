-- Rrsets that were stored before customers were kept from writing them. The job `remove-unwritable-records` removes them, once.
create table unwritable_rrsets (
  zone_id uuid not null references zones on delete cascade,
  name text collate "C" not null,
  type text not null,
  removed_in bigint,                         -- the version that removed records from it; null: still to be looked at
  primary key (zone_id, name, type)
);

insert into unwritable_rrsets (zone_id, name, type)
select r.zone_id, r.name, r.type from zone_rrsets r join zones z on z.id = r.zone_id
where not r.managed and (
  r.type in ('RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM')
  or (r.name = z.name and r.type in ('DNSKEY', 'CDS', 'CDNSKEY', 'ZONEMD'))
  -- Bytes in the generic form although the type has a name. The job decides whether they are valid for the type.
  or (r.type !~ '^TYPE[0-9]+$' and r.type <> 'NULL'
    and exists (select from unnest(r.records) as record where starts_with(record, '\# '))));
