-- What clients of the PowerDNS door have sent about a zone, to be shown to them again. Nothing else uses it.

create table powerdns_zones (
  zone_id uuid primary key references zones on delete cascade,
  kind text not null,
  account text not null
);
