-- Endpoints that get the events of some zones only, and fixed headers of their requests. Older code runs on this schema, but sends such endpoints the
-- events of all zones, without these headers.

alter table webhook_endpoints
  add column zone_limited boolean not null default false, -- only the events of webhook_endpoint_zones
  add column header_names text[] not null default '{}',   -- as the owner wrote them
  add column headers bytea;                               -- encrypted: the names and values as JSON; null: there are none

-- The zones of an endpoint that is limited. Deleted ones stay until they are erased: if a zone is restored, the endpoint has it again.
create table webhook_endpoint_zones (
  endpoint_id text not null references webhook_endpoints on delete cascade,
  zone_id uuid not null references zones on delete cascade,
  primary key (endpoint_id, zone_id)
);
create index webhook_endpoint_zones_zone on webhook_endpoint_zones (zone_id);
