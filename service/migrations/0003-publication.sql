-- Which nameservers there are, what each of them was last seen to serve, and the catalog zone's own line of serials.

create table nameservers (
  name text primary key,                     -- host name, no trailing dot; also its NS record in every zone
  address text not null,                     -- where it is notified and asked, address:port
  position integer not null,                 -- order of the NS records; the first one is every SOA's mname
  lagging_since timestamptz,                 -- not null: out of sync since then
  retired_at timestamptz
);

create table zone_sightings (
  zone_id uuid not null references zones on delete cascade,
  nameserver text not null references nameservers on delete cascade,
  serial bigint not null,
  seen_at timestamptz not null default app_now(),
  primary key (zone_id, nameserver)
) with (fillfactor = 60);

-- The catalog zone (RFC 9432): one row, and its journal of members come and gone.
create table catalog (
  id boolean primary key default true check (id),
  serial bigint not null,
  member_count integer not null default 0    -- rows of catalog_members, so that a transfer need not count them
);
create table catalog_journal (
  from_serial bigint not null,
  to_serial bigint primary key,
  removed json not null,                     -- [{label, zone}]
  added json not null,
  at timestamptz not null default app_now()
);
select leave_unanalysed('catalog_journal', 'from_serial', 'removed', 'added');
-- The members as last published: what an AXFR of the catalog answers.
create table catalog_members (
  zone_name text primary key,
  label text not null unique,
  zone_id uuid not null
);
