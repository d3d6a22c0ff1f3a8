-- Older code runs on this schema, but does not return a restored zone to the scopes of keys.

-- The keys that covered a deleted zone, and their limits in it. If the zone is restored, the keys that are still valid cover it again.
create table deleted_zone_scopes (
  zone_id uuid not null references zones on delete cascade,
  key_id text not null references api_keys on delete cascade,
  limits json,                                    -- as in api_key_zones
  primary key (zone_id, key_id)
);
create index deleted_zone_scopes_key on deleted_zone_scopes (key_id);
