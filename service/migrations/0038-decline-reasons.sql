-- Older code runs on this schema; it does not store why a card was declined.

-- The gateway's reason why the card was declined, empty if it gave none; null: no card was declined.
alter table payments add column decline_reason text;
