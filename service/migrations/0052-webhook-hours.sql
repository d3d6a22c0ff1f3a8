-- How many attempts at each webhook endpoint succeeded and failed in each hour, and how long they took, for charts. Older code counts none.

create table webhook_hours (
  endpoint_id text not null,
  hour timestamptz not null,                 -- its beginning
  succeeded integer not null,
  failed integer not null,
  total_ms bigint not null,                  -- of all attempts
  slowest_ms integer not null,
  primary key (endpoint_id, hour)
) with (fillfactor = 70);
create index webhook_hours_hour on webhook_hours (hour);
select leave_unanalysed('webhook_hours', 'succeeded', 'failed', 'total_ms', 'slowest_ms');
