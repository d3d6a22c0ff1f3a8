-- Which delegations have changed in the last minute: streams of updates report it. Older code does not use this index.
create index zone_delegations_since on zone_delegations (since);
