-- Zones that a nameserver did not serve, when the primary looked, with the serial that it should have served.
create table zones_behind (
  zone_id uuid not null references zones on delete cascade,
  nameserver text not null references nameservers on delete cascade,
  serial bigint not null,                    -- the row goes when the nameserver serves this one, or a later one
  since timestamptz not null default app_now(),
  primary key (zone_id, nameserver)
);
