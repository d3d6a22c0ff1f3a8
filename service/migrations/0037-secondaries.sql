-- Older code runs on this schema, but publishes zones without the names of their own secondaries.

-- Customers' own secondaries: outside nameservers that copy a zone with the TSIG key of an API key, and are notified of its changes.
create table zone_secondaries (
  zone_id uuid not null references zones on delete cascade,
  address text collate "C" not null,              -- an IP address in canonical form
  port integer not null,
  key_id text not null,                           -- not a reference: the secondary of a key that is gone is shown as cut off
  ns_name text,                                   -- the host name in the zone's NS records; null: there is none
  position integer not null,                      -- the order of the customer
  active_until timestamptz not null,              -- no NOTIFY is sent after this time: 24 h after the list was saved or the key last read the zone
  read_at timestamptz,                            -- when the key last queried the SOA or transferred the zone; null: never since it was added
  notified_serial bigint,                         -- the zone's serial of which the secondary was notified, or for which the attempts were given up
  notified_at timestamptz,                        -- the last NOTIFY
  notify_outcome text,                            -- of the last NOTIFY whose outcome is known
  tried_serial bigint,                            -- the serial of which `attempts` NOTIFYs had no answer
  attempts integer not null default 0,            -- NOTIFYs without an answer in a row
  due_at timestamptz not null,                    -- no NOTIFY is sent before; doubles as the lease of the worker that sends one
  primary key (zone_id, address)
);
create index zone_secondaries_key on zone_secondaries (key_id);

-- The names in zone_secondaries that the zone publishes, in the customer's order; null: none.
alter table zones add column secondary_names text[];
