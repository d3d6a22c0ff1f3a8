-- The values that were written through the acme-dns protocol: of each name, the two newest stay in its TXT records.

create table acme_dns_values (
  zone_id uuid not null references zones (id) on delete cascade,
  -- The owner name, without its final dot.
  name text not null,
  -- As in zone_rrsets.records.
  value text not null,
  -- Greater than that of every value that was written before.
  position bigint generated always as identity,
  primary key (zone_id, name, value)
);
