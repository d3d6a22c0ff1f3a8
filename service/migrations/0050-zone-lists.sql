-- What lists of zones and domains are filtered by: which presets were applied to a zone, and whether a domain has DS records at its registry.
-- Older code writes neither.

create table zone_presets (
  zone_id uuid not null references zones on delete cascade,
  preset_id text not null,                         -- as the catalogue of presets has it
  applied_at timestamptz not null default app_now(), -- the last time
  primary key (zone_id, preset_id)
);

alter table domains add column has_ds boolean;     -- as the registry last reported; null: not known
