-- A key may be limited to some record sets of its zones, and to some addresses of its callers.

alter table api_keys
  add column is_limited boolean not null default false,
  -- From where it may be used; null: from anywhere.
  add column addresses cidr[],
  add constraint api_keys_limited check (not (is_limited and all_zones));

-- Of a key with limits: [{names, types}, …]. Names are relative to the zone.
alter table api_key_zones add column limits json;
