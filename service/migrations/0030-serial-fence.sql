-- The timeline on which serials are assigned. PostgreSQL starts a new timeline at each promotion of a standby and at each restore from the
-- archive: changes that the former leader had committed, and that nameservers may serve, can then be missing. Until the leading primary has
-- adopted the new timeline and moved the clock for serials ahead of all of theirs, no change gets a serial.
create table serial_fence (
  is_only boolean primary key default true check (is_only),
  timeline text not null,                      -- as in the names of WAL files
  system_identifier bigint not null,           -- of the cluster: another one may have a timeline of the same number
  serial_offset bigint not null default 0 check (serial_offset >= 0),
  is_compared boolean not null default true    -- all zones were compared with the nameservers since the last new timeline
);
insert into serial_fence (timeline, system_identifier)
  select substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8), system_identifier from pg_control_system();

create function refuse_timeline() returns bigint language plpgsql volatile as $$
begin
  raise exception 'the database has failed over or was restored, and no primary has adopted its timeline yet' using errcode = 'ZW001';
end $$;

-- The clock for serials. Who assigns a serial reads `seconds`, which fails with ZW001 on a timeline that no primary has adopted. A plan that is
-- checked against `seconds` later can read `unchecked_seconds`.
create view serial_clock as
  select case when timeline = substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
    then unchecked_seconds else refuse_timeline() end as seconds, unchecked_seconds
  from (select timeline, floor(extract(epoch from app_now()))::bigint + serial_offset as unchecked_seconds from serial_fence) clock;
