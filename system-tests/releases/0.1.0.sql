--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA pgboss;


CREATE TYPE pgboss.job_state AS ENUM (
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed'
);


CREATE FUNCTION pgboss.create_queue(queue_name text, options jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $_$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO pgboss.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE pgboss.%I (LIKE pgboss.job INCLUDING DEFAULTS)', tablename);

      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i5 ON pgboss.job (name, start_after) INCLUDE (priority, created_on, id) WHERE state < 'active'$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON pgboss.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i7 ON pgboss.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON pgboss.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON pgboss.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE pgboss.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE pgboss.job ATTACH PARTITION pgboss.%I FOR VALUES IN (%L)', tablename, queue_name);
    END;
    $_$;


CREATE FUNCTION pgboss.delete_queue(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      v_table varchar;
      v_partition bool;
    BEGIN
      SELECT table_name, partition
      FROM pgboss.queue
      WHERE name = queue_name
      INTO v_table, v_partition;

      IF v_partition THEN
        EXECUTE format('DROP TABLE IF EXISTS pgboss.%I', v_table);
      ELSE
        EXECUTE format('DELETE FROM pgboss.%I WHERE name = %L', v_table, queue_name);
      END IF;

      DELETE FROM pgboss.queue WHERE name = queue_name;
    END;
    $$;


CREATE FUNCTION pgboss.job_table_format(command text, table_name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
      SELECT format(
        replace(
          replace(command, '.job', '.%1$I'),
          'job_i', '%1$s_i'
        ),
        table_name
      );
    $_$;


CREATE FUNCTION pgboss.job_table_run(command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      tbl RECORD;
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;

      IF tbl_name IS NOT NULL THEN
        EXECUTE pgboss.job_table_format(command, tbl_name);
        RETURN;
      END IF;

      EXECUTE pgboss.job_table_format(command, 'job_common');

      FOR tbl IN SELECT table_name FROM pgboss.queue WHERE partition = true
      LOOP
        EXECUTE pgboss.job_table_format(command, tbl.table_name);
      END LOOP;
    END;
    $$;


CREATE FUNCTION pgboss.job_table_run_async(command_name text, version integer, command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;

      IF tbl_name IS NOT NULL THEN
        INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
        VALUES (
          command_name,
          version,
          'pending',
          queue_name,
          tbl_name,
          pgboss.job_table_format(command, tbl_name)
        );
        RETURN;
      END IF;

      INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
      SELECT
        command_name,
        version,
        'pending',
        NULL,
        'job_common',
        pgboss.job_table_format(command, 'job_common')
      UNION ALL
      SELECT
        command_name,
        version,
        'pending',
        queue.name,
        queue.table_name,
        pgboss.job_table_format(command, queue.table_name)
      FROM pgboss.queue
      WHERE partition = true;
    END;
    $$;


CREATE FUNCTION public.app_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN statement_timestamp();


CREATE FUNCTION public.drop_partitions(parent regclass, before date) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  old regclass;
begin
  -- It runs as the schema's owner: what may not be changed may not be dropped either.
  if exists (
    select from pg_trigger t join pg_proc p on p.oid = t.tgfoid where t.tgrelid = parent and p.proname = 'refuse_change'
  ) then raise exception '% is append-only', parent;
  end if;
  for old in
    select inhrelid::regclass from pg_inherits
    where inhparent = parent and right(inhrelid::regclass::text, 8) < to_char(before, 'YYYYMMDD')
    order by inhrelid::regclass::text
  loop
    execute format('drop table %s', old);
    return next old::text;
  end loop;
end $$;


CREATE FUNCTION public.ensure_all_partitions() RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  today date := (app_now() at time zone 'utc')::date;
  released date := (select (min(created_at) at time zone 'utc')::date from event_outbox where held is null);
  first date := least(today - 1, released);
begin
  perform ensure_partitions('audit_log', 'month', today - 1, today + 75);
  perform ensure_partitions('events', 'day', first, today + 7);
  perform ensure_partitions('webhook_deliveries', 'day', first, today + 7);
  perform ensure_partitions('webhook_attempts', 'day', first, today + 7);
end $$;


CREATE FUNCTION public.ensure_partitions(parent regclass, period text, first date, last date) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  start date := date_trunc(period, first)::date;
  stop date;
  made text;
  unanalysed text[] := array(select attname from pg_attribute where attrelid = parent and attnum > 0 and attstattarget = 0);
begin
  while start <= last loop
    stop := (start + ('1 ' || period)::interval)::date;
    made := quote_ident(parent::text || '_' || to_char(start, 'YYYYMMDD'));
    if to_regclass(made) is null then
      execute format('create table if not exists %s partition of %s for values from (%L) to (%L)', made, parent, start, stop);
      perform leave_unanalysed(made::regclass, variadic unanalysed);
    end if;
    start := stop;
  end loop;
end $$;


CREATE FUNCTION public.event_body(id text, type text, created_at timestamp with time zone, data text) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN convert_to((((((((('{"id":"'::text || id) || '","type":"'::text) || type) || '","created_at":"'::text) || to_char((created_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text)) || '","data":'::text) || data) || '}'::text), 'UTF8'::name);


CREATE FUNCTION public.follow_delegation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into zone_delegations (zone_id, due_at) values (new.id, case when new.state = 'live' then app_now() end)
  on conflict (zone_id) do update set due_at = excluded.due_at, candidate = null, candidate_at = null,
    since = case when new.state = 'live' and zone_delegations.state = 'waiting' then app_now() else zone_delegations.since end;
  return null;
end $$;


CREATE FUNCTION public.id_floor(prefix text, at timestamp with time zone) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((prefix || '_'::text) || lpad(to_hex((floor((EXTRACT(epoch FROM at) * (1000)::numeric)))::bigint), 12, '0'::text));


CREATE FUNCTION public.leave_unanalysed(named regclass, VARIADIC columns text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  each text;
begin
  foreach each in array columns loop
    execute format('alter table %s alter column %I set statistics 0', named, each);
  end loop;
end $$;


CREATE FUNCTION public.live_secrets(secrets bytea[], ends timestamp with time zone[]) RETURNS bytea[]
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN (cardinality(secrets) = 1) THEN secrets ELSE (SELECT array_agg(kept.secret ORDER BY kept.place) AS array_agg FROM UNNEST(live_secrets.secrets, live_secrets.ends) WITH ORDINALITY kept(secret, until, place) WHERE ((kept.until IS NULL) OR (kept.until > public.app_now()))) END;


CREATE FUNCTION public.new_id(prefix text, at timestamp with time zone) RETURNS text
    LANGUAGE sql PARALLEL SAFE
    RETURN (((prefix || '_'::text) || lpad(to_hex((floor((EXTRACT(epoch FROM at) * (1000)::numeric)))::bigint), 12, '0'::text)) || OVERLAY((gen_random_uuid())::text PLACING ''::text FROM 9 FOR 16));


CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;


CREATE FUNCTION public.refuse_stale() RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'the zone has changed since it was read, or is in other hands' using errcode = 'serialization_failure';
end $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE pgboss.bam (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    queue text,
    table_name text NOT NULL,
    command text NOT NULL,
    error text,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone
);


CREATE TABLE pgboss.job (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer
)
PARTITION BY LIST (name);


CREATE TABLE pgboss.job_common (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK ((NOT ((policy = 'key_strict_fifo'::text) AND (singleton_key IS NULL))))
);


CREATE TABLE pgboss.queue (
    name text NOT NULL,
    policy text NOT NULL,
    retry_limit integer NOT NULL,
    retry_delay integer NOT NULL,
    retry_backoff boolean NOT NULL,
    retry_delay_max integer,
    expire_seconds integer NOT NULL,
    retention_seconds integer NOT NULL,
    deletion_seconds integer NOT NULL,
    dead_letter text,
    partition boolean NOT NULL,
    table_name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    warning_queued integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    heartbeat_seconds integer,
    singletons_active text[],
    monitor_on timestamp with time zone,
    maintain_on timestamp with time zone,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT queue_check CHECK ((dead_letter IS DISTINCT FROM name))
);


CREATE TABLE pgboss.schedule (
    name text NOT NULL,
    key text DEFAULT ''::text NOT NULL,
    cron text NOT NULL,
    timezone text,
    data jsonb,
    options jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL
);


CREATE TABLE pgboss.subscription (
    event text NOT NULL,
    name text NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL
);


CREATE TABLE pgboss.version (
    version integer NOT NULL,
    cron_on timestamp with time zone,
    bam_on timestamp with time zone
);


CREATE TABLE pgboss.warning (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    message text NOT NULL,
    data jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL
);


CREATE TABLE public.account_change_bytes (
    account_id uuid NOT NULL,
    day date NOT NULL,
    bytes bigint NOT NULL
);


CREATE TABLE public.account_credentials (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    provider_id text NOT NULL,
    account_id text NOT NULL,
    password text,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamp with time zone,
    refresh_token_expires_at timestamp with time zone,
    scope text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);


CREATE TABLE public.account_devices (
    device_sha256 bytea NOT NULL,
    account_id uuid NOT NULL,
    session_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


CREATE TABLE public.account_guesses (
    subject text NOT NULL,
    kind text NOT NULL,
    source text NOT NULL,
    failures double precision DEFAULT 0 NOT NULL,
    free_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    last_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    recent timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL
);


CREATE TABLE public.account_sessions (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    token text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ip_address text,
    user_agent text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);


CREATE TABLE public.account_sign_ups (
    token_sha256 bytea NOT NULL,
    email text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


CREATE TABLE public.account_tries (
    kind text NOT NULL,
    subject text NOT NULL,
    began_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    tries integer NOT NULL
);


CREATE TABLE public.account_two_factors (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    secret text NOT NULL,
    backup_codes text NOT NULL,
    verified boolean DEFAULT true NOT NULL,
    failed_verification_count integer DEFAULT 0,
    locked_until timestamp with time zone
);


CREATE TABLE public.account_used_codes (
    account_id uuid NOT NULL,
    step bigint NOT NULL,
    used_at timestamp with time zone DEFAULT public.app_now() NOT NULL
);


CREATE TABLE public.account_verifications (
    id uuid NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);


CREATE TABLE public.accounts (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    email text NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    email_confirmed boolean DEFAULT false NOT NULL,
    two_factor_enabled boolean DEFAULT false NOT NULL,
    image text,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    updated_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    deleted_at timestamp with time zone,
    deleted_email text,
    erased_at timestamp with time zone,
    zone_limit integer,
    daily_change_bytes bigint,
    CONSTRAINT accounts_daily_change_bytes_check CHECK ((daily_change_bytes >= 0)),
    CONSTRAINT accounts_zone_limit_check CHECK ((zone_limit > 0))
);


CREATE TABLE public.api_key_domains (
    key_id text NOT NULL,
    domain_id bigint NOT NULL
);


CREATE UNLOGGED TABLE public.api_key_windows (
    key_id text NOT NULL,
    recent bigint[] NOT NULL,
    admitted integer NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='500', autovacuum_vacuum_scale_factor='0.1');
ALTER TABLE ONLY public.api_key_windows ALTER COLUMN recent SET STATISTICS 0;
ALTER TABLE ONLY public.api_key_windows ALTER COLUMN recent SET STORAGE PLAIN;
ALTER TABLE ONLY public.api_key_windows ALTER COLUMN admitted SET STATISTICS 0;


CREATE TABLE public.api_key_zones (
    key_id text NOT NULL,
    zone_id uuid NOT NULL
);


CREATE TABLE public.api_keys (
    id text NOT NULL,
    account_id uuid NOT NULL,
    name text NOT NULL,
    hint text NOT NULL,
    secret_sha256 bytea NOT NULL,
    all_zones boolean NOT NULL,
    permissions text[] NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    last_used_ip inet,
    told_unused_at timestamp with time zone
);


CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    account_id uuid NOT NULL,
    actor_kind text NOT NULL,
    actor_name text NOT NULL,
    actor_id text,
    action text NOT NULL,
    zone_id uuid,
    zone_name text,
    domain text,
    summary text NOT NULL,
    reference json,
    request_id text,
    address inet,
    source text,
    CONSTRAINT audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['session'::text, 'key'::text, 'system'::text, 'operator'::text])))
)
PARTITION BY RANGE (at);
ALTER TABLE ONLY public.audit_log ALTER COLUMN id SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log ALTER COLUMN actor_kind SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log ALTER COLUMN actor_name SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log ALTER COLUMN actor_id SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log ALTER COLUMN zone_name SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log ALTER COLUMN domain SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log ALTER COLUMN summary SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log ALTER COLUMN reference SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log ALTER COLUMN request_id SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log ALTER COLUMN address SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log ALTER COLUMN source SET STATISTICS 0;


CREATE TABLE public.audit_log_20261101 (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    account_id uuid NOT NULL,
    actor_kind text NOT NULL,
    actor_name text NOT NULL,
    actor_id text,
    action text NOT NULL,
    zone_id uuid,
    zone_name text,
    domain text,
    summary text NOT NULL,
    reference json,
    request_id text,
    address inet,
    source text,
    CONSTRAINT audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['session'::text, 'key'::text, 'system'::text, 'operator'::text])))
);
ALTER TABLE ONLY public.audit_log_20261101 ALTER COLUMN id SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log_20261101 ALTER COLUMN actor_kind SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log_20261101 ALTER COLUMN actor_name SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log_20261101 ALTER COLUMN actor_id SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log_20261101 ALTER COLUMN zone_name SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log_20261101 ALTER COLUMN domain SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log_20261101 ALTER COLUMN summary SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log_20261101 ALTER COLUMN reference SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log_20261101 ALTER COLUMN request_id SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log_20261101 ALTER COLUMN address SET STATISTICS 0;
ALTER TABLE ONLY public.audit_log_20261101 ALTER COLUMN source SET STATISTICS 0;


ALTER TABLE public.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


CREATE TABLE public.catalog (
    id boolean DEFAULT true NOT NULL,
    serial bigint NOT NULL,
    member_count integer DEFAULT 0 NOT NULL,
    CONSTRAINT catalog_id_check CHECK (id)
);


CREATE TABLE public.catalog_journal (
    from_serial bigint NOT NULL,
    to_serial bigint NOT NULL,
    removed json NOT NULL,
    added json NOT NULL,
    at timestamp with time zone DEFAULT public.app_now() NOT NULL
);
ALTER TABLE ONLY public.catalog_journal ALTER COLUMN from_serial SET STATISTICS 0;
ALTER TABLE ONLY public.catalog_journal ALTER COLUMN removed SET STATISTICS 0;
ALTER TABLE ONLY public.catalog_journal ALTER COLUMN added SET STATISTICS 0;


CREATE TABLE public.catalog_members (
    zone_name text NOT NULL,
    label text NOT NULL,
    zone_id uuid NOT NULL
);


CREATE TABLE public.contacts (
    id text NOT NULL,
    account_id uuid NOT NULL,
    name text NOT NULL,
    organization text NOT NULL,
    email text NOT NULL,
    phone text NOT NULL,
    address1 text NOT NULL,
    address2 text NOT NULL,
    city text NOT NULL,
    state text NOT NULL,
    postal_code text NOT NULL,
    country text NOT NULL,
    extra jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    updated_at timestamp with time zone DEFAULT public.app_now() NOT NULL
);


CREATE TABLE public.credit_holds (
    order_id text NOT NULL,
    account_id uuid NOT NULL,
    amount_kobo bigint NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT credit_holds_amount_kobo_check CHECK ((amount_kobo > 0))
);


CREATE TABLE public.domain_acts (
    id bigint NOT NULL,
    domain_id bigint NOT NULL,
    kind text NOT NULL,
    wish jsonb NOT NULL,
    secret bytea,
    actor jsonb NOT NULL,
    relock boolean DEFAULT false NOT NULL,
    failure jsonb,
    state text DEFAULT 'open'::text NOT NULL,
    lease integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    due_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT domain_acts_kind_check CHECK ((kind = ANY (ARRAY['nameservers'::text, 'lock'::text, 'unlock'::text, 'contacts'::text, 'transfer_code'::text, 'approve_transfer'::text, 'reject_transfer'::text, 'restore'::text]))),
    CONSTRAINT domain_acts_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'refused'::text, 'dropped'::text])))
);


ALTER TABLE public.domain_acts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.domain_acts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


CREATE TABLE public.domain_invitations (
    id text NOT NULL,
    domain_id bigint NOT NULL,
    email text NOT NULL,
    inviter text NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


CREATE TABLE public.domain_managers (
    domain_id bigint NOT NULL,
    account_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL
);


CREATE TABLE public.domains (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    tld text NOT NULL,
    account_id uuid NOT NULL,
    state text NOT NULL,
    order_id text NOT NULL,
    contact jsonb,
    registrant_id text,
    auto_renew boolean NOT NULL,
    expires_at timestamp with time zone,
    statuses text[] DEFAULT '{}'::text[] NOT NULL,
    grace_statuses text[] DEFAULT '{}'::text[] NOT NULL,
    nameservers text[] DEFAULT '{}'::text[] NOT NULL,
    facts_at timestamp with time zone,
    sync_at timestamp with time zone,
    missing_since timestamp with time zone,
    transfer_out jsonb,
    noticed_expiry timestamp with time zone,
    noticed_days integer,
    tried_days integer,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    gone_at timestamp with time zone,
    gone_reason text,
    public_id text DEFAULT public.new_id('dom'::text, public.app_now()) NOT NULL,
    CONSTRAINT domains_state_check CHECK ((state = ANY (ARRAY['arriving'::text, 'held'::text, 'gone'::text])))
);


ALTER TABLE public.domains ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.domains_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


CREATE TABLE public.event_outbox (
    seq bigint NOT NULL,
    type text NOT NULL,
    recipients uuid[] NOT NULL,
    endpoint_id text,
    zone_id uuid,
    serial bigint,
    data json NOT NULL,
    replicated boolean DEFAULT false NOT NULL,
    bytes integer DEFAULT 0 NOT NULL,
    request_id text,
    held text,
    held_since timestamp with time zone DEFAULT public.app_now() NOT NULL,
    id text,
    created_at timestamp with time zone,
    CONSTRAINT event_outbox_check CHECK (((held IS NOT NULL) OR ((id IS NOT NULL) AND (created_at IS NOT NULL)))),
    CONSTRAINT event_outbox_held_check CHECK ((held = ANY (ARRAY['serial'::text, 'everywhere'::text, 'turn'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='2000', autovacuum_analyze_threshold='2000');
ALTER TABLE ONLY public.event_outbox ALTER COLUMN type SET STATISTICS 0;
ALTER TABLE ONLY public.event_outbox ALTER COLUMN recipients SET STATISTICS 0;
ALTER TABLE ONLY public.event_outbox ALTER COLUMN endpoint_id SET STATISTICS 0;
ALTER TABLE ONLY public.event_outbox ALTER COLUMN serial SET STATISTICS 0;
ALTER TABLE ONLY public.event_outbox ALTER COLUMN data SET STATISTICS 0;
ALTER TABLE ONLY public.event_outbox ALTER COLUMN replicated SET STATISTICS 0;
ALTER TABLE ONLY public.event_outbox ALTER COLUMN bytes SET STATISTICS 0;
ALTER TABLE ONLY public.event_outbox ALTER COLUMN request_id SET STATISTICS 0;
ALTER TABLE ONLY public.event_outbox ALTER COLUMN id SET STATISTICS 0;


ALTER TABLE public.event_outbox ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.event_outbox_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


CREATE SEQUENCE public.event_positions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


CREATE TABLE public.events (
    event_day date NOT NULL,
    id text NOT NULL,
    type text NOT NULL,
    recipients uuid[] NOT NULL,
    endpoint_id text,
    zone_id uuid,
    serial bigint,
    created_at timestamp with time zone NOT NULL,
    body bytea NOT NULL,
    request_id text,
    "position" bigint NOT NULL
)
PARTITION BY RANGE (event_day);
ALTER TABLE ONLY public.events ALTER COLUMN recipients SET STATISTICS 0;
ALTER TABLE ONLY public.events ALTER COLUMN endpoint_id SET STATISTICS 0;
ALTER TABLE ONLY public.events ALTER COLUMN serial SET STATISTICS 0;
ALTER TABLE ONLY public.events ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE ONLY public.events ALTER COLUMN request_id SET STATISTICS 0;


CREATE TABLE public.events_20261127 (
    event_day date NOT NULL,
    id text NOT NULL,
    type text NOT NULL,
    recipients uuid[] NOT NULL,
    endpoint_id text,
    zone_id uuid,
    serial bigint,
    created_at timestamp with time zone NOT NULL,
    body bytea NOT NULL,
    request_id text,
    "position" bigint NOT NULL
);
ALTER TABLE ONLY public.events_20261127 ALTER COLUMN recipients SET STATISTICS 0;
ALTER TABLE ONLY public.events_20261127 ALTER COLUMN endpoint_id SET STATISTICS 0;
ALTER TABLE ONLY public.events_20261127 ALTER COLUMN serial SET STATISTICS 0;
ALTER TABLE ONLY public.events_20261127 ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE ONLY public.events_20261127 ALTER COLUMN request_id SET STATISTICS 0;


CREATE TABLE public.former_cuts (
    zone_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C"
);


CREATE TABLE public.former_nameservers (
    zone_id uuid NOT NULL,
    names text[] NOT NULL
);


CREATE TABLE public.free_subdomains (
    name text NOT NULL COLLATE pg_catalog."C",
    account_id uuid NOT NULL,
    zone_id uuid NOT NULL,
    claimed_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    released_at timestamp with time zone
);


CREATE TABLE public.idempotency_keys (
    caller text NOT NULL,
    key text NOT NULL,
    request_mac bytea NOT NULL,
    status integer,
    answer json,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL
);
ALTER TABLE ONLY public.idempotency_keys ALTER COLUMN request_mac SET STATISTICS 0;
ALTER TABLE ONLY public.idempotency_keys ALTER COLUMN answer SET STATISTICS 0;


CREATE TABLE public.invitation_hours (
    account_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    sent integer NOT NULL
);


CREATE TABLE public.ledger_entries (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    kind text NOT NULL,
    from_book text NOT NULL,
    to_book text NOT NULL,
    amount_kobo bigint NOT NULL,
    account_id uuid NOT NULL,
    order_id text,
    payment_id text,
    note text DEFAULT ''::text NOT NULL,
    CONSTRAINT ledger_entries_amount_kobo_check CHECK ((amount_kobo > 0)),
    CONSTRAINT ledger_entries_check CHECK ((from_book <> to_book)),
    CONSTRAINT ledger_entries_from_book_check CHECK ((from_book = ANY (ARRAY['card'::text, 'grants'::text, 'credit'::text, 'order'::text, 'sales'::text]))),
    CONSTRAINT ledger_entries_to_book_check CHECK ((to_book = ANY (ARRAY['card'::text, 'grants'::text, 'credit'::text, 'order'::text, 'sales'::text])))
);


ALTER TABLE public.ledger_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ledger_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


CREATE TABLE public.mails (
    id text NOT NULL,
    kind text NOT NULL,
    to_address text NOT NULL,
    content bytea,
    once text,
    queued_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    request_id text,
    give_up_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    lease uuid,
    attempts integer DEFAULT 0 NOT NULL,
    failure text,
    reply text,
    sent_at timestamp with time zone
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500');


CREATE TABLE public.nameservers (
    name text NOT NULL,
    address text NOT NULL,
    "position" integer NOT NULL,
    lagging_since timestamp with time zone,
    retired_at timestamp with time zone
);


CREATE TABLE public.orders (
    id text NOT NULL,
    account_id uuid NOT NULL,
    key_id text,
    request_id text,
    kind text NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    tld text NOT NULL,
    years integer NOT NULL,
    status text NOT NULL,
    cancelled_by text,
    amount_kobo bigint NOT NULL,
    credit_kobo bigint NOT NULL,
    promo_code text NOT NULL,
    promo_kobo bigint NOT NULL,
    card_kobo bigint DEFAULT 0 NOT NULL,
    renewal_kobo bigint NOT NULL,
    fee jsonb,
    client_email text NOT NULL,
    last_error text DEFAULT ''::text NOT NULL,
    stage text,
    stage_message text DEFAULT ''::text NOT NULL,
    act_by timestamp with time zone,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    paid_at timestamp with time zone,
    finished_at timestamp with time zone,
    settled_at timestamp with time zone,
    expires_at timestamp with time zone,
    contact jsonb,
    auto_renew boolean NOT NULL,
    nameservers text[] NOT NULL,
    auth_code bytea,
    registrant_id text,
    old_expiry timestamp with time zone,
    doubted_at timestamp with time zone,
    step_at timestamp with time zone,
    CONSTRAINT orders_amount_kobo_check CHECK ((amount_kobo >= 0)),
    CONSTRAINT orders_cancelled_by_check CHECK ((cancelled_by = ANY (ARRAY['expiry'::text, 'owner'::text, 'refusal'::text]))),
    CONSTRAINT orders_card_kobo_check CHECK ((card_kobo >= 0)),
    CONSTRAINT orders_check CHECK ((amount_kobo >= (credit_kobo + promo_kobo))),
    CONSTRAINT orders_credit_kobo_check CHECK ((credit_kobo >= 0)),
    CONSTRAINT orders_kind_check CHECK ((kind = ANY (ARRAY['register'::text, 'renew'::text, 'transfer'::text]))),
    CONSTRAINT orders_promo_kobo_check CHECK ((promo_kobo >= 0)),
    CONSTRAINT orders_stage_check CHECK ((stage = ANY (ARRAY['awaiting_payment'::text, 'sending'::text, 'registry_pending'::text, 'checking'::text, 'action_required'::text, 'refunding'::text]))),
    CONSTRAINT orders_status_check CHECK ((status = ANY (ARRAY['pending_payment'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'refunded'::text, 'credited'::text])))
);


CREATE TABLE public.pay_links (
    order_id text NOT NULL,
    token_sha256 bytea NOT NULL,
    token bytea NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


CREATE TABLE public.payments (
    id text NOT NULL,
    reference text NOT NULL,
    order_id text NOT NULL,
    account_id uuid NOT NULL,
    email text NOT NULL,
    amount_kobo bigint NOT NULL,
    status text NOT NULL,
    counted_as text,
    paid_kobo bigint,
    checkout_url text,
    refund_state text,
    refund_id text,
    refund_wanted_at timestamp with time zone,
    tries integer DEFAULT 0 NOT NULL,
    asked_at timestamp with time zone,
    looked_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    step_at timestamp with time zone,
    held_until timestamp with time zone,
    CONSTRAINT payments_amount_kobo_check CHECK ((amount_kobo > 0)),
    CONSTRAINT payments_counted_as_check CHECK ((counted_as = ANY (ARRAY['order'::text, 'surplus'::text]))),
    CONSTRAINT payments_refund_state_check CHECK ((refund_state = ANY (ARRAY['wanted'::text, 'posted'::text, 'processed'::text, 'failed'::text, 'needs_attention'::text]))),
    CONSTRAINT payments_status_check CHECK ((status = ANY (ARRAY['open'::text, 'succeeded'::text, 'failed'::text])))
);


CREATE TABLE public.promo_codes (
    code text NOT NULL,
    percent integer,
    fixed_kobo bigint,
    kinds text[],
    tlds text[],
    account_id uuid,
    starts_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    ends_at timestamp with time zone,
    max_uses integer,
    once_an_account boolean DEFAULT true NOT NULL,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT promo_codes_check CHECK ((num_nonnulls(percent, fixed_kobo) = 1)),
    CONSTRAINT promo_codes_fixed_kobo_check CHECK ((fixed_kobo > 0)),
    CONSTRAINT promo_codes_max_uses_check CHECK ((max_uses > 0)),
    CONSTRAINT promo_codes_percent_check CHECK (((percent >= 1) AND (percent <= 100)))
);


CREATE TABLE public.promo_uses (
    order_id text NOT NULL,
    code text NOT NULL,
    account_id uuid NOT NULL,
    state text NOT NULL,
    reserved_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT promo_uses_state_check CHECK ((state = ANY (ARRAY['reserved'::text, 'consumed'::text, 'freed'::text])))
);


CREATE TABLE public.quotes (
    id text NOT NULL,
    account_id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    tld text NOT NULL,
    years integer NOT NULL,
    available boolean NOT NULL,
    premium boolean NOT NULL,
    amount_kobo bigint NOT NULL,
    promo_code text NOT NULL,
    promo_kobo bigint NOT NULL,
    renewal_kobo bigint NOT NULL,
    fee jsonb,
    old_expiry timestamp with time zone,
    requirements jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT quotes_kind_check CHECK ((kind = ANY (ARRAY['register'::text, 'renew'::text, 'transfer'::text])))
);


CREATE TABLE public.registry_commands (
    id bigint NOT NULL,
    order_id text,
    change_id bigint,
    command text NOT NULL,
    attempt integer,
    subject text,
    cl_trid text NOT NULL,
    state text NOT NULL,
    sent_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    ended_at timestamp with time zone,
    missed_at timestamp with time zone,
    reply_code integer,
    reply text DEFAULT ''::text NOT NULL,
    CONSTRAINT registry_commands_check CHECK (((order_id IS NULL) <> (change_id IS NULL))),
    CONSTRAINT registry_commands_check1 CHECK (((order_id IS NULL) OR ((command = ANY (ARRAY['contact'::text, 'create'::text, 'renew'::text, 'transfer'::text])) AND (attempt IS NOT NULL)))),
    CONSTRAINT registry_commands_check2 CHECK (((change_id IS NULL) OR (subject IS NOT NULL))),
    CONSTRAINT registry_commands_state_check CHECK ((state = ANY (ARRAY['sending'::text, 'unknown'::text, 'pending'::text, 'done'::text, 'refused'::text, 'not_done'::text])))
);


ALTER TABLE public.registry_commands ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.registry_commands_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


CREATE TABLE public.schema_migrations (
    name text NOT NULL,
    sha256 text NOT NULL,
    breaks boolean NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL
);


CREATE TABLE public.unwritable_rrsets (
    zone_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    removed_in bigint
);


CREATE TABLE public.webhook_attempts (
    event_day date NOT NULL,
    delivery_id text NOT NULL,
    number integer NOT NULL,
    manual boolean NOT NULL,
    started_at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    status integer,
    failure text,
    request_headers json NOT NULL,
    response_headers json,
    response_body text,
    failure_detail text,
    resent boolean DEFAULT false NOT NULL
)
PARTITION BY RANGE (event_day);
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN manual SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN duration_ms SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN status SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN failure SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN request_headers SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN response_headers SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN response_body SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN failure_detail SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN resent SET STATISTICS 0;


CREATE TABLE public.webhook_attempts_20261127 (
    event_day date NOT NULL,
    delivery_id text NOT NULL,
    number integer NOT NULL,
    manual boolean NOT NULL,
    started_at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    status integer,
    failure text,
    request_headers json NOT NULL,
    response_headers json,
    response_body text,
    failure_detail text,
    resent boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY public.webhook_attempts_20261127 ALTER COLUMN manual SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261127 ALTER COLUMN duration_ms SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261127 ALTER COLUMN status SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261127 ALTER COLUMN failure SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261127 ALTER COLUMN request_headers SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261127 ALTER COLUMN response_headers SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261127 ALTER COLUMN response_body SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261127 ALTER COLUMN failure_detail SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261127 ALTER COLUMN resent SET STATISTICS 0;


CREATE TABLE public.webhook_deliveries (
    event_day date NOT NULL,
    id text NOT NULL,
    endpoint_id text NOT NULL,
    event_id text NOT NULL,
    event_type text NOT NULL,
    "position" bigint NOT NULL,
    status text NOT NULL,
    last_status integer,
    attempts integer DEFAULT 0 NOT NULL,
    requests integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    finished_at timestamp with time zone,
    last_failure text,
    last_failure_detail text,
    test boolean DEFAULT false NOT NULL,
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text])))
)
PARTITION BY RANGE (event_day);
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN "position" SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN last_status SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN attempts SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN requests SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN created_at SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN finished_at SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN last_failure SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN last_failure_detail SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN test SET STATISTICS 0;


CREATE TABLE public.webhook_deliveries_20261127 (
    event_day date NOT NULL,
    id text NOT NULL,
    endpoint_id text NOT NULL,
    event_id text NOT NULL,
    event_type text NOT NULL,
    "position" bigint NOT NULL,
    status text NOT NULL,
    last_status integer,
    attempts integer DEFAULT 0 NOT NULL,
    requests integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    finished_at timestamp with time zone,
    last_failure text,
    last_failure_detail text,
    test boolean DEFAULT false NOT NULL,
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text])))
);
ALTER TABLE ONLY public.webhook_deliveries_20261127 ALTER COLUMN "position" SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261127 ALTER COLUMN last_status SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261127 ALTER COLUMN attempts SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261127 ALTER COLUMN requests SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261127 ALTER COLUMN created_at SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261127 ALTER COLUMN finished_at SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261127 ALTER COLUMN last_failure SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261127 ALTER COLUMN last_failure_detail SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261127 ALTER COLUMN test SET STATISTICS 0;


CREATE TABLE public.webhook_endpoints (
    id text NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    events text[],
    description text DEFAULT ''::text NOT NULL,
    secrets bytea[] NOT NULL,
    secret_ends timestamp with time zone[] DEFAULT '{NULL}'::timestamp with time zone[] NOT NULL,
    state text DEFAULT 'enabled'::text NOT NULL,
    disabled_at timestamp with time zone,
    disabled_reason text,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT webhook_endpoints_state_check CHECK ((state = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);


CREATE TABLE public.webhook_lanes (
    endpoint_id text NOT NULL,
    due_at timestamp with time zone,
    lease uuid,
    placed_after bigint DEFAULT 0 NOT NULL,
    struggling boolean DEFAULT false NOT NULL,
    failing_since timestamp with time zone,
    failing_event text,
    failing_other_since timestamp with time zone,
    warned_at timestamp with time zone
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500');


CREATE TABLE public.webhook_queue (
    endpoint_id text NOT NULL,
    "position" bigint NOT NULL,
    event_day date NOT NULL,
    delivery_id text NOT NULL,
    event_id text NOT NULL,
    event_type text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    retry_at timestamp with time zone,
    manual boolean DEFAULT false NOT NULL,
    resume_at timestamp with time zone,
    test boolean DEFAULT false NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='2000', autovacuum_analyze_threshold='2000');


CREATE TABLE public.zone_changes (
    zone_id uuid NOT NULL,
    version bigint NOT NULL,
    serial bigint NOT NULL,
    at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    actor_kind text NOT NULL,
    actor_name text NOT NULL,
    actor_id text,
    changes_count integer NOT NULL,
    changes json NOT NULL,
    source text
);
ALTER TABLE ONLY public.zone_changes ALTER COLUMN serial SET STATISTICS 0;
ALTER TABLE ONLY public.zone_changes ALTER COLUMN actor_kind SET STATISTICS 0;
ALTER TABLE ONLY public.zone_changes ALTER COLUMN actor_name SET STATISTICS 0;
ALTER TABLE ONLY public.zone_changes ALTER COLUMN actor_id SET STATISTICS 0;
ALTER TABLE ONLY public.zone_changes ALTER COLUMN changes_count SET STATISTICS 0;
ALTER TABLE ONLY public.zone_changes ALTER COLUMN changes SET STATISTICS 0;
ALTER TABLE ONLY public.zone_changes ALTER COLUMN source SET STATISTICS 0;


CREATE TABLE public.zone_contests (
    live_zone_id uuid NOT NULL,
    zone_id uuid NOT NULL,
    began_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL
);


CREATE TABLE public.zone_delegations (
    zone_id uuid NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    since timestamp with time zone DEFAULT public.app_now() NOT NULL,
    candidate text,
    candidate_at timestamp with time zone,
    parent_nameservers text[] DEFAULT '{}'::text[] NOT NULL,
    registry_nameservers text[] DEFAULT '{}'::text[] NOT NULL,
    registry_expires_at timestamp with time zone,
    registry_asked_at timestamp with time zone,
    failure text,
    checked_at timestamp with time zone,
    asked_at timestamp with time zone,
    due_at timestamp with time zone,
    revision bigint DEFAULT 0 NOT NULL,
    CONSTRAINT zone_delegations_check CHECK (((candidate IS NULL) = (candidate_at IS NULL))),
    CONSTRAINT zone_delegations_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'live'::text, 'partial'::text, 'lost'::text, 'missing'::text])))
)
WITH (fillfactor='60');


CREATE TABLE public.zone_invitations (
    id text NOT NULL,
    zone_id uuid NOT NULL,
    email text NOT NULL,
    inviter text NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


CREATE TABLE public.zone_journal (
    zone_id uuid NOT NULL,
    from_serial bigint NOT NULL,
    to_serial bigint NOT NULL,
    removed json NOT NULL,
    added json NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    at timestamp with time zone DEFAULT public.app_now() NOT NULL
);
ALTER TABLE ONLY public.zone_journal ALTER COLUMN from_serial SET STATISTICS 0;
ALTER TABLE ONLY public.zone_journal ALTER COLUMN removed SET STATISTICS 0;
ALTER TABLE ONLY public.zone_journal ALTER COLUMN added SET STATISTICS 0;
ALTER TABLE ONLY public.zone_journal ALTER COLUMN bytes SET STATISTICS 0;


CREATE TABLE public.zone_managers (
    zone_id uuid NOT NULL,
    account_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL
);


CREATE TABLE public.zone_moves (
    id bigint NOT NULL,
    zone_id uuid NOT NULL,
    zone_name text NOT NULL,
    catalog_label text NOT NULL,
    live boolean NOT NULL
);


ALTER TABLE public.zone_moves ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.zone_moves_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


CREATE TABLE public.zone_rrsets (
    zone_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    ttl integer NOT NULL,
    records text[] NOT NULL,
    managed boolean DEFAULT false NOT NULL,
    updated_at timestamp with time zone DEFAULT public.app_now() NOT NULL
);
ALTER TABLE ONLY public.zone_rrsets ALTER COLUMN ttl SET STATISTICS 0;
ALTER TABLE ONLY public.zone_rrsets ALTER COLUMN records SET STATISTICS 0;
ALTER TABLE ONLY public.zone_rrsets ALTER COLUMN updated_at SET STATISTICS 0;


CREATE TABLE public.zone_serials (
    name text NOT NULL COLLATE pg_catalog."C",
    serial bigint NOT NULL
);


CREATE TABLE public.zone_sightings (
    zone_id uuid NOT NULL,
    nameserver text NOT NULL,
    serial bigint NOT NULL,
    seen_at timestamp with time zone DEFAULT public.app_now() NOT NULL
)
WITH (fillfactor='60');


CREATE TABLE public.zone_verifications (
    zone_id uuid NOT NULL,
    token text NOT NULL,
    began_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    due_at timestamp with time zone,
    checks integer DEFAULT 0 NOT NULL,
    checked_at timestamp with time zone,
    outcome text,
    CONSTRAINT zone_verifications_outcome_check CHECK ((outcome = ANY (ARRAY['absent'::text, 'unknown'::text, 'refused'::text])))
);


CREATE TABLE public.zones (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    account_id uuid NOT NULL,
    state text NOT NULL,
    origin text NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    serial bigint NOT NULL,
    rrset_count integer DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    catalog_label text NOT NULL,
    parent_id uuid,
    vouched boolean DEFAULT false NOT NULL,
    rrset_limit integer DEFAULT 10000,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    live_at timestamp with time zone,
    deleted_at timestamp with time zone,
    lost_at timestamp with time zone,
    CONSTRAINT zones_origin_check CHECK ((origin = ANY (ARRAY['verified'::text, 'bought'::text, 'claimed'::text, 'added'::text]))),
    CONSTRAINT zones_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'live'::text, 'deleted'::text])))
)
WITH (fillfactor='20');


CREATE TABLE public.zones_behind (
    zone_id uuid NOT NULL,
    nameserver text NOT NULL,
    serial bigint NOT NULL,
    since timestamp with time zone DEFAULT public.app_now() NOT NULL
);


ALTER TABLE ONLY pgboss.job ATTACH PARTITION pgboss.job_common DEFAULT;


ALTER TABLE ONLY public.audit_log ATTACH PARTITION public.audit_log_20261101 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');


ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261127 FOR VALUES FROM ('2026-11-27') TO ('2026-11-28');


ALTER TABLE ONLY public.webhook_attempts ATTACH PARTITION public.webhook_attempts_20261127 FOR VALUES FROM ('2026-11-27') TO ('2026-11-28');


ALTER TABLE ONLY public.webhook_deliveries ATTACH PARTITION public.webhook_deliveries_20261127 FOR VALUES FROM ('2026-11-27') TO ('2026-11-28');


INSERT INTO pgboss.bam VALUES
	('5222e391-f3ff-4efd-8d43-5785bc144c3b', 'done', 30, 'completed', NULL, 'job', 'select 1', NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00');


INSERT INTO pgboss.job_common VALUES
	('35630b9f-4c83-42f6-9e80-bf0c33fffcdd', '__pgboss__send-it', 0, '{"data": null, "name": "remind-of-renewals", "options": {}}', 'completed', 2, 0, 0, false, NULL, 900, 604800, 'remind-of-renewals__', '2026-11-27 14:30:00', NULL, NULL, '2026-11-27 14:30:23.756841+00', '2026-11-27 14:30:23.756841+00', '2026-11-27 14:30:24.16181+00', '2026-11-27 14:30:24.310092+00', '2026-12-11 14:30:23.756841+00', NULL, NULL, 'standard', '2026-11-27 14:30:24.16181+00', NULL),
	('5328487c-fecb-405c-a0fd-d27710beb960', '__pgboss__send-it', 0, '{"data": null, "name": "remove-unwritable-records", "options": {}}', 'completed', 2, 0, 0, false, NULL, 900, 604800, 'remove-unwritable-records__', '2026-11-27 14:30:00', NULL, NULL, '2026-11-27 14:30:23.756841+00', '2026-11-27 14:30:23.756841+00', '2026-11-27 14:30:24.16181+00', '2026-11-27 14:30:24.310092+00', '2026-12-11 14:30:23.756841+00', NULL, NULL, 'standard', '2026-11-27 14:30:24.16181+00', NULL),
	('da7a822e-f87a-45e9-944a-7a5571d0dd45', 'remove-unwritable-records', 0, NULL, 'completed', 2, 0, 0, false, NULL, 900, 604800, NULL, NULL, NULL, NULL, '2026-11-27 14:30:24.221626+00', '2026-11-27 14:30:24.221626+00', '2026-11-27 14:30:24.92784+00', '2026-11-27 14:30:25.059079+00', '2026-12-11 14:30:24.221626+00', NULL, NULL, 'standard', '2026-11-27 14:30:24.92784+00', NULL),
	('7c94b80d-8f4f-48a5-b83f-3c5341d24e21', 'remind-of-renewals', 0, NULL, 'completed', 2, 0, 0, false, NULL, 900, 604800, NULL, NULL, NULL, NULL, '2026-11-27 14:30:24.218771+00', '2026-11-27 14:30:24.218771+00', '2026-11-27 14:30:25.334527+00', '2026-11-27 14:30:25.491214+00', '2026-12-11 14:30:24.218771+00', NULL, NULL, 'standard', '2026-11-27 14:30:25.334527+00', NULL),
	('8f34f853-01ba-4db9-8f26-58cd6921e6b0', '__pgboss__send-it', 0, NULL, 'completed', 2, 0, 0, false, NULL, 900, 604800, NULL, NULL, NULL, NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', '2026-12-11 14:31:25.849276+00', NULL, NULL, 'standard', NULL, NULL);


INSERT INTO pgboss.queue VALUES
	('__pgboss__send-it', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 2, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:22.957126+00', '2026-11-27 14:28:22.957126+00'),
	('ensure-partitions', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:23.112092+00', '2026-11-27 14:28:23.112092+00'),
	('forget-idempotency-keys', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:23.664395+00', '2026-11-27 14:28:23.664395+00'),
	('drop-old-events', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:23.997821+00', '2026-11-27 14:28:23.997821+00'),
	('tidy-webhook-endpoints', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:24.087078+00', '2026-11-27 14:28:24.087078+00'),
	('prune-journals', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:24.19425+00', '2026-11-27 14:28:24.19425+00'),
	('forget-sign-ins', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:24.424092+00', '2026-11-27 14:28:24.424092+00'),
	('erase-deleted-zones', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:24.522945+00', '2026-11-27 14:28:24.522945+00'),
	('drop-old-invitations', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:24.588148+00', '2026-11-27 14:28:24.588148+00'),
	('forget-versions', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:24.666468+00', '2026-11-27 14:28:24.666468+00'),
	('remove-unwritable-records', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 1, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:24.727614+00', '2026-11-27 14:28:24.727614+00'),
	('erase-held-accounts', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:24.902054+00', '2026-11-27 14:28:24.902054+00'),
	('forget-mails', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:24.989022+00', '2026-11-27 14:28:24.989022+00'),
	('drop-old-quotes', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:25.117212+00', '2026-11-27 14:28:25.117212+00'),
	('remind-of-renewals', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 1, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:25.217146+00', '2026-11-27 14:28:25.217146+00'),
	('tell-of-keys', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, '2026-11-27 14:31:22.945638+00', '2026-11-27 14:29:23.147579+00', '2026-11-27 14:28:25.278813+00', '2026-11-27 14:28:25.278813+00');


INSERT INTO pgboss.schedule VALUES
	('ensure-partitions', '', '10 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:23.337785+00', '2026-11-27 14:28:23.337785+00'),
	('forget-idempotency-keys', '', '20 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:23.887739+00', '2026-11-27 14:28:23.887739+00'),
	('drop-old-events', '', '30 3 * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:24.035246+00', '2026-11-27 14:28:24.035246+00'),
	('tidy-webhook-endpoints', '', '40 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:24.131132+00', '2026-11-27 14:28:24.131132+00'),
	('prune-journals', '', '40 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:24.41035+00', '2026-11-27 14:28:24.41035+00'),
	('forget-sign-ins', '', '25 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:24.437938+00', '2026-11-27 14:28:24.437938+00'),
	('erase-deleted-zones', '', '50 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:24.555622+00', '2026-11-27 14:28:24.555622+00'),
	('drop-old-invitations', '', '25 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:24.635276+00', '2026-11-27 14:28:24.635276+00'),
	('forget-versions', '', '15 4 * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:24.702954+00', '2026-11-27 14:28:24.702954+00'),
	('remove-unwritable-records', '', '*/5 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:24.783647+00', '2026-11-27 14:28:24.783647+00'),
	('erase-held-accounts', '', '35 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:24.908656+00', '2026-11-27 14:28:24.908656+00'),
	('forget-mails', '', '40 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:25.084072+00', '2026-11-27 14:28:25.084072+00'),
	('drop-old-quotes', '', '40 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:25.201878+00', '2026-11-27 14:28:25.201878+00'),
	('remind-of-renewals', '', '*/10 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:25.257295+00', '2026-11-27 14:28:25.257295+00'),
	('tell-of-keys', '', '15 * * * *', 'UTC', NULL, '{}', '2026-11-27 14:28:25.297005+00', '2026-11-27 14:28:25.297005+00');


INSERT INTO pgboss.subscription VALUES
	('release', '__pgboss__send-it', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00');


INSERT INTO pgboss.version VALUES
	(30, '2026-11-27 14:31:23.206774+00', '2026-11-27 14:30:23.144228+00');


INSERT INTO pgboss.warning VALUES
	('d4e7cb24-780b-4714-9ad8-93ee44011b4a', 'queue_backlog', 'A queue was long.', NULL, '2026-11-27 14:31:25.849276+00');


INSERT INTO public.account_change_bytes VALUES
	('d4d07b5e-8aa1-4277-94ec-84c5cd944ab4', '2026-11-27', 1950);


INSERT INTO public.account_credentials VALUES
	('fe34f8c0-60b8-4084-8834-90e84039a10b', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'credential', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', '6c60822550757adf996ce2229bf54451:6e701ad95ea2201665176774a028c94e68e47e8f488af04575bb65ad4b7f3f83c031904684a2c99f2ff5da55a90b30d2354fe2bf3a96dc02fcaa782fa2a59f6a', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 14:28:29.437338+00', '2026-11-27 14:28:29.437338+00'),
	('adb94aef-4a26-40d5-8843-4e6040a39c29', '2651d447-e66e-4dd8-9632-acba6785758d', 'credential', '2651d447-e66e-4dd8-9632-acba6785758d', 'd709e0ec2d8b0781fb98b75239c1ddda:8969ec904e0cfd2593becb403e6136a6680b279fc94f49356ff91e03707c10f41cc4a7918697cd2343eb237428b9b30cc64813a3972fa5cd5258d5613ee5a5bb', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 14:30:53.202287+00', '2026-11-27 14:30:53.202287+00');


INSERT INTO public.account_devices VALUES
	('\x5ba5c749edb94fe0ba02a7647f54fe7c7e0ce59709d4a435361f455f0d29a968', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'd7cec1dc-5039-4eed-b972-04082f9ddb4a', '2026-11-27 14:30:38.13751+00', '2027-02-25 14:30:38.13751+00'),
	('\x38ba8598e8ef9f892812e97b9cb8a74b573bc197655547a22dc23b9c9aede9b9', '2651d447-e66e-4dd8-9632-acba6785758d', 'a6f3b79a-5be7-4786-87ce-4221fc78d1fe', '2026-11-27 14:30:53.254019+00', '2027-02-25 14:30:53.254019+00');


INSERT INTO public.account_guesses VALUES
	('', 'code', '127.0.0.1', 0, '2026-11-27 14:30:38.05429+00', '2026-11-27 14:30:37.173157+00', '{}'),
	('', 'sign-in', '127.0.0.1', 0, '2026-11-27 14:30:38.113791+00', '2026-11-27 14:30:33.028486+00', '{}'),
	('2651d447-e66e-4dd8-9632-acba6785758d', 'sign-in', 'device OLqFmOjvn4koEul7nLinS1c7wZdlVUeiLcI7nJrt6bk', 1, '2026-11-27 14:30:53.489779+00', '2026-11-27 14:30:53.489779+00', '{}'),
	('2651d447-e66e-4dd8-9632-acba6785758d', 'failed password', '', 0, '2026-11-27 14:30:55.694477+00', '2026-11-27 14:30:55.694477+00', '{"2026-11-27 14:30:55.694477+00"}');


INSERT INTO public.account_sessions VALUES
	('d7cec1dc-5039-4eed-b972-04082f9ddb4a', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'vuChyut1jUK3RNBUjFNViXf9cYAdEI9c', '2026-12-11 14:30:38.001+00', '127.0.0.1', 'node', '2026-11-27 14:30:38.001+00', '2026-11-27 14:30:38.001+00'),
	('a6f3b79a-5be7-4786-87ce-4221fc78d1fe', '2651d447-e66e-4dd8-9632-acba6785758d', '78Bh-bLRIQCkd6i1KlkGfJXSn3q6omrS', '2026-12-11 14:30:53.209196+00', '127.0.0.1', 'node', '2026-11-27 14:30:53.209196+00', '2026-11-27 14:30:53.209196+00');


INSERT INTO public.account_sign_ups VALUES
	('\x51343e3be1cf4e6e47c37d35dc022d5c56a80cd3892e964d2ee91bcd30775cd1', 'not-yet@example.net', '2026-11-28 14:30:56.154064+00');


INSERT INTO public.account_tries VALUES
	('device-mail', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', '2026-11-27 14:30:38.183153+00', 1),
	('sign-up-mail', 'manager@example.net', '2026-11-27 14:30:49.832451+00', 1),
	('reset-mail', 'manager@example.net', '2026-11-27 14:30:55.895122+00', 1),
	('sign-up-from', '127.0.0.1', '2026-11-27 14:30:49.811429+00', 2),
	('sign-up-mail', 'not-yet@example.net', '2026-11-27 14:30:56.133869+00', 1),
	('checkout-of', 'ord_01a21d6aa06e99c13a0ef0295ce6daa4', '2026-11-27 14:30:57.144383+00', 1),
	('checkout-of', 'ord_01a21d6ab0b37c00be9bf2b7b99f3e09', '2026-11-27 14:31:01.359625+00', 1),
	('checkout-of', 'ord_01a21d6abb40623b3d336abae64751a6', '2026-11-27 14:31:04.077871+00', 1),
	('checkout-of', 'ord_01a21d6adef9f74de48a8f8c54d89f07', '2026-11-27 14:31:12.948801+00', 1),
	('checkout-by', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', '2026-11-27 14:30:57.154346+00', 4);


INSERT INTO public.account_two_factors VALUES
	('0abc5a18-4686-491b-b919-813eb3bbc2f6', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', '17cf591722663378c3c89b19814db8a5069d33ae9811211c0a61374c21ee9b4d11ece61026cbc5b4dbc17c2756b08ba6e2d2faa8b6ee9637f63101c43a57e46a7f594c8ca7d981d6', '407b853f64322af8602b7215b64d4fc4a3910cf9088fa93eb37476ff20de2480faca4f5d23f9edca5653', true, 0, NULL);


INSERT INTO public.account_used_codes VALUES
	('d4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 59859661, '2026-11-27 14:30:37.284801+00'),
	('d4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 59859662, '2026-11-27 14:31:23.872479+00');


INSERT INTO public.account_verifications VALUES
	('d51ecff8-2f1e-4d92-81bc-3584763da79a', 'fja0YufzR0P1iPeigxDg_oqB6bn4ws3nrKnXJjZMyHM', '2651d447-e66e-4dd8-9632-acba6785758d', '2026-11-27 15:30:55.962+00', '2026-11-27 14:30:55.962+00', '2026-11-27 14:30:55.962+00');


INSERT INTO public.accounts VALUES
	('d4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'demo@zonewright.test', 'Demo', true, true, NULL, '2026-11-27 14:28:18.429485+00', '2026-11-27 14:28:18.429485+00', NULL, NULL, NULL, NULL, NULL),
	('2651d447-e66e-4dd8-9632-acba6785758d', 'manager@example.net', 'Guest', true, false, NULL, '2026-11-27 14:30:53.08091+00', '2026-11-27 14:30:53.08091+00', NULL, NULL, NULL, NULL, NULL),
	('f2f3f687-244a-4776-8c1a-9f18c7776abc', 'deleted:00000000-0000-4000-8000-000000000001', 'Leaver', false, false, NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', 'leaver@example.net', NULL, NULL, NULL),
	('737b6b78-15d3-4e3e-8e41-b2d371d8d26e', 'deleted:00000000-0000-4000-8000-000000000002', '', false, false, NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', '2026-11-19 14:31:25.849276+00', NULL, '2026-11-27 14:31:25.849276+00', NULL, NULL),
	('de74bafa-5529-4ccd-8484-c5aac7efe120', 'parent@example.net', 'Parent', true, false, NULL, '2026-11-27 14:30:09.234219+00', '2026-11-27 14:30:09.234219+00', NULL, NULL, NULL, 50, 1000000);


INSERT INTO public.api_key_domains VALUES
	('key_01a21d6b0a5a28930138d17f470d057d', 1);


INSERT INTO public.api_key_windows VALUES
	('key_01a21d68624f42025b83f5e32643dc43', '{1795789838603,1795789839457,1795789840200}', 1);


INSERT INTO public.api_key_zones VALUES
	('key_01a21d6b0a5a28930138d17f470d057d', '5e2191ea-6e61-4206-bb0f-baf2b6178b08');


INSERT INTO public.api_keys VALUES
	('key_01a21d68624f42025b83f5e32643dc43', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'demo', 'JH0g', '\x5ce87e1c77283ebbc43860ab4339a9ee96048fa5f815dff1d221aa0ea733d5cf', true, '{records:read,records:write,zones:manage,acme:dns01,domains:read,domains:buy,domains:manage,webhooks:manage}', '2026-11-27 14:28:29.905032+00', NULL, NULL, '2026-11-27 14:30:38.666517+00', '127.0.0.1', NULL),
	('key_01a21d6b0a5a28930138d17f470d057d', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'for one', 'K0CQ', '\xca6193a903c8eb45cb3816b878f5a593dd019901eab0ac293162fa084e05831a', false, '{records:read}', '2026-11-27 14:31:23.998523+00', '2027-02-25 14:31:23.998523+00', NULL, NULL, NULL, NULL);


INSERT INTO public.audit_log_20261101 OVERRIDING SYSTEM VALUE VALUES
	(1, '2026-11-27 14:28:29.929676+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'operator', 'operator', NULL, 'account.created', NULL, NULL, NULL, 'Account demo@zonewright.test was created', NULL, NULL, NULL, 'system'),
	(2, '2026-11-27 14:28:29.929676+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'operator', 'operator', NULL, 'zone.added', '4ce501bf-912e-47ee-a807-379a1d1c7285', 'example.test', NULL, 'Zone example.test was added (live)', NULL, NULL, NULL, 'system'),
	(3, '2026-11-27 14:28:29.929676+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'operator', 'operator', NULL, 'key.created', NULL, NULL, NULL, 'API key "demo" was created', '{"key":"key_01a21d68624f42025b83f5e32643dc43"}', NULL, NULL, 'system'),
	(4, '2026-11-27 14:28:39.154998+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 'webhook.created', NULL, NULL, NULL, 'Webhook endpoint https://127.0.0.1:19496/hooks/demo was created', '{"endpoint":"whe_01a21d68863f32a45fcdfc0f01302f92"}', 'req_01a21d6884f0c5a1737d6edc6d8fbc78', '127.0.0.1', 'api'),
	(5, '2026-11-27 14:28:55.475792+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'operator', 'operator', NULL, 'credit.granted', NULL, NULL, NULL, '₦150,000.00 of credit was granted: a gift', '{"amount_kobo":15000000}', NULL, NULL, 'system'),
	(6, '2026-11-27 14:29:10.167074+00', '00000000-0000-0000-0000-000000000000', 'operator', 'operator', NULL, 'promo.created', NULL, NULL, NULL, 'Promo code HALF was created', '{"promo_code":"HALF"}', NULL, NULL, 'system'),
	(13, '2026-11-27 14:30:38.281574+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'session', 'demo@zonewright.test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'session.created', NULL, NULL, NULL, 'Signed in', NULL, 'req_01a21d6a525f1e15e6d3d62951d24b76', '127.0.0.1', 'dashboard'),
	(14, '2026-11-27 14:30:39.250185+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 'contact.created', NULL, NULL, NULL, 'Contact Ada Obi was created', '{"contact":"con_01a21d6a5ad96c1cd2c975cd2f39f623"}', 'req_01a21d6a58b1054dd48735fd211e750c', '127.0.0.1', 'api'),
	(16, '2026-11-27 14:30:40.38362+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 'records.changed', '4ce501bf-912e-47ee-a807-379a1d1c7285', 'example.test', NULL, 'example.test A was created', '{"version":1,"serial":1795789840}', 'req_01a21d6a5f42a7c09df7dfea07021de5', '127.0.0.1', 'api'),
	(18, '2026-11-27 14:30:42.30745+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 'records.changed', '4ce501bf-912e-47ee-a807-379a1d1c7285', 'example.test', NULL, 'ftp.example.test A was created', '{"version":3,"serial":1795789842}', 'req_01a21d6a6394ef3a45686a80a2f9b0d0', '127.0.0.1', 'import'),
	(19, '2026-11-27 14:30:43.075643+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 'records.changed', '4ce501bf-912e-47ee-a807-379a1d1c7285', 'example.test', NULL, '4 record sets were changed', '{"version":4,"serial":1795789843}', 'req_01a21d6a6893d00bc4ed1a78ca3a3950', '127.0.0.1', 'preset'),
	(20, '2026-11-27 14:30:43.80871+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 'records.changed', '4ce501bf-912e-47ee-a807-379a1d1c7285', 'example.test', NULL, '4 record sets were changed', '{"version":5,"serial":1795789844}', 'req_01a21d6a6b3da6ab46952bdd4fea9d33', '127.0.0.1', 'restore'),
	(21, '2026-11-27 14:30:44.880879+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 'zone.added', 'd2a65c18-5701-41bd-99ae-a061c4b2ffd8', 'pending-zone.test', NULL, 'Zone pending-zone.test was added (pending)', NULL, 'req_01a21d6a6e57506cdee9c53b6e5c9530', '127.0.0.1', 'api'),
	(22, '2026-11-27 14:30:45.859432+00', 'de74bafa-5529-4ccd-8484-c5aac7efe120', 'system', 'free subdomains', NULL, 'records.changed', '2d4bbf4f-101f-4945-9ced-e85e7cb09e71', 'free.example.net', NULL, 'petals.free.example.net NS was created', '{"version":1,"serial":1795789845}', NULL, NULL, 'system'),
	(23, '2026-11-27 14:30:45.859924+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'session', 'demo@zonewright.test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'zone.added', 'da438391-c77b-47e1-8b1b-ecdb3633480c', 'petals.free.example.net', NULL, 'Zone petals.free.example.net was added (live)', NULL, 'req_01a21d6a725640a709b6f092dd0479e8', '127.0.0.1', 'dashboard'),
	(24, '2026-11-27 14:30:48.834353+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'session', 'demo@zonewright.test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'zone.deleted', '64713544-fe0a-451d-92b1-703f850e9847', 'deleted.example', NULL, 'Zone deleted.example was deleted', '{"version":0,"serial":1795789787}', 'req_01a21d6a7cf2307809ec6744b4faf42b', '127.0.0.1', 'dashboard'),
	(25, '2026-11-27 14:30:49.635978+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'session', 'demo@zonewright.test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'manager.invited', '1b8d1d5e-298d-47c6-aac4-354b490738fa', 'shared.example', NULL, 'invited@example.net was invited to manage shared.example', NULL, 'req_01a21d6a814666bd770962332b724d01', '127.0.0.1', 'dashboard'),
	(26, '2026-11-27 14:30:53.310219+00', '2651d447-e66e-4dd8-9632-acba6785758d', 'system', 'sign-up', NULL, 'account.created', NULL, NULL, NULL, 'Account manager@example.net was created', NULL, NULL, '127.0.0.1', 'system'),
	(28, '2026-11-27 14:30:56.956369+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 'order.placed', NULL, NULL, 'card-shop.test', 'The registration of card-shop.test was ordered', '{"order":"ord_01a21d6aa06e99c13a0ef0295ce6daa4","status":"pending_payment"}', 'req_01a21d6aa00e2ecf6db15606d1f27b03', '127.0.0.1', 'api'),
	(29, '2026-11-27 14:30:59.542222+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'system', 'card payments', NULL, 'order.paid', NULL, NULL, 'card-shop.test', 'The registration of card-shop.test is processing', '{"order":"ord_01a21d6aa06e99c13a0ef0295ce6daa4","status":"processing"}', NULL, NULL, 'system'),
	(30, '2026-11-27 14:30:59.948083+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 'order.paid', NULL, NULL, 'credit-shop.test', 'The registration of credit-shop.test was ordered', '{"order":"ord_01a21d6aab94efd3d1eae91dd44e803f","status":"processing"}', 'req_01a21d6aab10f48f022fff351c263540', '127.0.0.1', 'api'),
	(31, '2026-11-27 14:31:00.955814+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'system', 'orders', NULL, 'order.completed', NULL, NULL, 'card-shop.test', 'The registration of card-shop.test is completed', '{"order":"ord_01a21d6aa06e99c13a0ef0295ce6daa4","status":"completed"}', NULL, NULL, 'system'),
	(32, '2026-11-27 14:31:00.955814+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'system', 'orders', NULL, 'zone.added', '5e2191ea-6e61-4206-bb0f-baf2b6178b08', 'card-shop.test', NULL, 'Zone card-shop.test was added (live)', NULL, NULL, NULL, 'system'),
	(33, '2026-11-27 14:31:00.955814+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'system', 'orders', NULL, 'zone.bought', '5e2191ea-6e61-4206-bb0f-baf2b6178b08', 'card-shop.test', NULL, 'The zone card-shop.test is live, because this account has the domain', NULL, NULL, NULL, 'system'),
	(34, '2026-11-27 14:31:00.955814+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'system', 'orders', NULL, 'domain.registered', NULL, NULL, 'card-shop.test', 'card-shop.test was registered', NULL, NULL, NULL, 'system'),
	(46, '2026-11-27 14:31:12.203414+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'system', 'refunds', NULL, 'order.refunded', NULL, NULL, 'refunded.test', 'The registration of refunded.test is refunded', '{"order":"ord_01a21d6abb40623b3d336abae64751a6","status":"refunded"}', NULL, NULL, 'system'),
	(53, '2026-11-27 14:31:21.463777+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'system', 'orders', NULL, 'domain.renewed', NULL, NULL, 'card-shop.test', 'card-shop.test was renewed until 2028-11-27', NULL, NULL, NULL, 'system'),
	(40, '2026-11-27 14:31:02.444261+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'session', 'demo@zonewright.test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'pay_link.created', NULL, NULL, 'declined.test', 'The payment link of the order for declined.test was created', '{"order":"ord_01a21d6ab0b37c00be9bf2b7b99f3e09"}', 'req_01a21d6ab4d9564229870b19afe03781', '127.0.0.1', 'dashboard'),
	(45, '2026-11-27 14:31:05.907954+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'system', 'orders', NULL, 'order.failed', NULL, NULL, 'refunded.test', 'The registration of refunded.test is failed: The registry refused the request. The registry says: Parameter value policy error: Reserved for somebody (2306).', '{"order":"ord_01a21d6abb40623b3d336abae64751a6","status":"failed"}', NULL, NULL, 'system'),
	(54, '2026-11-27 14:31:22.355819+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 'domain.locked', NULL, NULL, 'credit-shop.test', 'credit-shop.test was locked', NULL, 'req_01a21d6b01404ac166a934d0ecf128f8', '127.0.0.1', 'api'),
	(42, '2026-11-27 14:31:03.263125+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 'order.cancelled', NULL, NULL, 'cancelled.test', 'The registration of cancelled.test is cancelled', '{"order":"ord_01a21d6ab86831dc1ca46164acc753eb","status":"cancelled"}', 'req_01a21d6ab8c34acd09f07a4f1831ac9a', '127.0.0.1', 'api'),
	(50, '2026-11-27 14:31:19.978871+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'system', 'refunds', NULL, 'order.credited', NULL, NULL, 'credited.test', 'The registration of credited.test is credited', '{"order":"ord_01a21d6adef9f74de48a8f8c54d89f07","status":"credited"}', NULL, NULL, 'system'),
	(55, '2026-11-27 14:31:23.114218+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 'domain.nameservers_changed', NULL, NULL, 'credit-shop.test', 'The nameservers of credit-shop.test were set to ns1.example.net, ns2.example.net', NULL, 'req_01a21d6b0489b2fdd166fbc082579a4b', '127.0.0.1', 'api'),
	(58, '2026-11-27 14:31:24.061652+00', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'session', 'demo@zonewright.test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key.created', NULL, NULL, NULL, 'API key "for one" was created', '{"key":"key_01a21d6b0a5a28930138d17f470d057d"}', 'req_01a21d6b08ec24b98dbc45391119dc6e', '127.0.0.1', 'dashboard');


INSERT INTO public.catalog VALUES
	(true, 1795789862, 7);


INSERT INTO public.catalog_journal VALUES
	(1795789699, 1795789719, '[]', '[{"label":"b71bfe6554456acd40f7","zone":"example.test"}]', '2026-11-27 14:28:39.892161+00'),
	(1795789719, 1795789788, '[]', '[{"label":"851d473a86162497266a","zone":"shared.example"},{"label":"3ec4c378954e85851b9c","zone":"released.example"},{"label":"31d1fd2346bc040c51ba","zone":"deleted.example"}]', '2026-11-27 14:29:48.609881+00'),
	(1795789788, 1795789831, '[]', '[{"label":"385f01ac42ca2bbe1182","zone":"free.example.net"}]', '2026-11-27 14:30:32.09328+00'),
	(1795789831, 1795789847, '[]', '[{"label":"f3ffdd5a390b04e5a287","zone":"petals.free.example.net"}]', '2026-11-27 14:30:48.249074+00'),
	(1795789847, 1795789849, '[{"label":"31d1fd2346bc040c51ba","zone":"deleted.example"}]', '[]', '2026-11-27 14:30:49.099062+00'),
	(1795789849, 1795789861, '[]', '[{"label":"ed6855513aa823d43917","zone":"card-shop.test"}]', '2026-11-27 14:31:01.154254+00'),
	(1795789861, 1795789862, '[]', '[{"label":"34dfdbaf0e8dd2c9c74c","zone":"credit-shop.test"}]', '2026-11-27 14:31:01.633783+00');


INSERT INTO public.catalog_members VALUES
	('example.test', 'b71bfe6554456acd40f7', '4ce501bf-912e-47ee-a807-379a1d1c7285'),
	('shared.example', '851d473a86162497266a', '1b8d1d5e-298d-47c6-aac4-354b490738fa'),
	('released.example', '3ec4c378954e85851b9c', 'c7e36a0b-31e6-44a4-8ae0-89d6a7d88317'),
	('free.example.net', '385f01ac42ca2bbe1182', '2d4bbf4f-101f-4945-9ced-e85e7cb09e71'),
	('petals.free.example.net', 'f3ffdd5a390b04e5a287', 'da438391-c77b-47e1-8b1b-ecdb3633480c'),
	('card-shop.test', 'ed6855513aa823d43917', '5e2191ea-6e61-4206-bb0f-baf2b6178b08'),
	('credit-shop.test', '34dfdbaf0e8dd2c9c74c', '4982c7f3-6137-492d-ae1d-b2cc8be49897');


INSERT INTO public.contacts VALUES
	('con_01a21d6a5ad96c1cd2c975cd2f39f623', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'Ada Obi', '', 'ada@example.net', '+2348031234567', '12 Broad Street', '', 'Lagos', 'LA', '101221', 'NG', '{}', '2026-11-27 14:30:39.069938+00', '2026-11-27 14:30:39.069938+00');


INSERT INTO public.credit_holds VALUES
	('ord_01a21d6b1199c0bfff9d062cf93e4750', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 625000, '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b1199eb36d608f6bb9da0a8b9', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 625000, '2026-11-27 14:31:25.849276+00');


INSERT INTO public.domain_acts OVERRIDING SYSTEM VALUE VALUES
	(1, 2, 'lock', '{"kind": "lock"}', NULL, '{"id": "key_01a21d68624f42025b83f5e32643dc43", "kind": "key", "name": "", "source": "api", "address": null, "requestId": "req_01a21d6b01404ac166a934d0ecf128f8"}', false, NULL, 'done', 1, NULL, '2026-11-27 14:33:21.874575+00', '2026-11-27 14:31:21.79304+00', '2026-11-27 14:31:22.151283+00'),
	(2, 2, 'nameservers', '{"kind": "nameservers", "hosts": [], "isUnsigned": false, "nameservers": ["ns1.example.net", "ns2.example.net"]}', NULL, '{"id": "key_01a21d68624f42025b83f5e32643dc43", "kind": "key", "name": "", "source": "api", "address": null, "requestId": "req_01a21d6b0489b2fdd166fbc082579a4b"}', true, NULL, 'done', 1, NULL, '2026-11-27 14:33:23.061372+00', '2026-11-27 14:31:22.715746+00', '2026-11-27 14:31:23.087172+00'),
	(3, 1, 'lock', '{"kind": "lock"}', NULL, '{"id": null, "kind": "system", "name": "", "source": "system", "address": null, "requestId": null}', false, NULL, 'open', 1, NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', NULL),
	(4, 1, 'reject_transfer', '{"kind": "reject_transfer"}', NULL, '{"id": null, "kind": "system", "name": "", "source": "system", "address": null, "requestId": null}', false, NULL, 'done', 1, NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	(5, 1, 'contacts', '{"kind": "contacts"}', NULL, '{"id": null, "kind": "system", "name": "", "source": "system", "address": null, "requestId": null}', false, '{"code": "conflict", "message": "The registry refused it (2304)."}', 'refused', 1, NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	(6, 2, 'restore', '{"kind": "restore"}', NULL, '{"id": null, "kind": "system", "name": "", "source": "system", "address": null, "requestId": null}', false, NULL, 'open', 1, NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', NULL),
	(7, 2, 'transfer_code', '{"kind": "transfer_code"}', NULL, '{"id": null, "kind": "system", "name": "", "source": "system", "address": null, "requestId": null}', false, NULL, 'dropped', 1, NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	(8, 2, 'unlock', '{"kind": "unlock"}', NULL, '{"id": null, "kind": "system", "name": "", "source": "system", "address": null, "requestId": null}', false, NULL, 'done', 1, NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	(9, 3, 'approve_transfer', '{"kind": "approve_transfer"}', NULL, '{"id": null, "kind": "system", "name": "", "source": "system", "address": null, "requestId": null}', false, NULL, 'done', 1, NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00');


INSERT INTO public.domain_invitations VALUES
	('inv_01a21d6b0746ab14a2eb3879f9a4b8cd', 2, 'manager@example.net', 'demo@zonewright.test', '2026-11-27 14:31:23.209116+00', '2026-12-11 14:31:23.209116+00'),
	('inv_01a21d6b085dc1bd80ecd0c227e0d153', 2, 'invited@example.net', 'demo@zonewright.test', '2026-11-27 14:31:23.490254+00', '2026-12-11 14:31:23.490254+00');


INSERT INTO public.domain_managers VALUES
	(1, '2651d447-e66e-4dd8-9632-acba6785758d', '2026-11-27 14:31:25.849276+00');


INSERT INTO public.domains OVERRIDING SYSTEM VALUE VALUES
	(1, 'card-shop.test', 'test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'held', 'ord_01a21d6aa06e99c13a0ef0295ce6daa4', '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', 'ZWE7A28E55608385', false, '2028-11-27 14:31:00.302+00', '{ok}', '{}', '{ns1.zonewright.test,ns2.zonewright.test}', '2026-11-27 14:31:21.393586+00', '2026-11-28 15:14:50.17116+00', NULL, NULL, NULL, NULL, NULL, '2026-11-27 14:31:00.877824+00', NULL, NULL, 'dom_01a21d6ab00df76c846849c6123bb7aa'),
	(2, 'credit-shop.test', 'test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'held', 'ord_01a21d6aab94efd3d1eae91dd44e803f', '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', 'ZWB004A415C338AF', false, '2027-11-27 14:31:00.987+00', '{clientTransferProhibited,clientDeleteProhibited,clientUpdateProhibited}', '{addPeriod}', '{ns1.example.net,ns2.example.net}', '2026-11-27 14:31:23.095837+00', '2026-11-28 15:32:34.018554+00', NULL, NULL, NULL, NULL, NULL, '2026-11-27 14:31:01.305885+00', NULL, NULL, 'dom_01a21d6ab1b945095b83c25ca644b499'),
	(3, 'left.test', 'test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'gone', 'ord_01a21d6abb40623b3d336abae64751a6', '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', 'ZWE7A28E55608385', false, NULL, '{}', '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', 'transferred', 'dom_01a21d6b11994ce21bcfe63068ca26d9'),
	(4, 'moving.test', 'test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'arriving', 'ord_01a21d6b119940f02d4e9d24401ab049', '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', 'ZWE7A28E55608385', false, NULL, '{}', '{}', '{}', NULL, '2026-11-27 14:31:25.849276+00', NULL, NULL, NULL, NULL, NULL, '2026-11-27 14:31:25.849276+00', NULL, NULL, 'dom_01a21d6b1199bf53be0d5a6dea824a6c');


INSERT INTO public.event_outbox OVERRIDING SYSTEM VALUE VALUES
	(31, 'zone.records_changed', '{de74bafa-5529-4ccd-8484-c5aac7efe120}', NULL, 'f38e8218-486b-4d12-9f9a-ba4a47e77d99', 4294967295, '{"zone":{}}', false, 11, NULL, 'serial', '2026-11-27 14:31:25.849276+00', NULL, NULL),
	(32, 'zone.created', '{de74bafa-5529-4ccd-8484-c5aac7efe120}', NULL, 'f38e8218-486b-4d12-9f9a-ba4a47e77d99', 4294967295, '{"zone":{}}', false, 11, NULL, 'everywhere', '2026-11-27 14:31:25.849276+00', NULL, NULL),
	(33, 'zone.deleted', '{de74bafa-5529-4ccd-8484-c5aac7efe120}', NULL, 'f38e8218-486b-4d12-9f9a-ba4a47e77d99', 4294967295, '{"zone":{}}', false, 11, NULL, 'turn', 'infinity', NULL, NULL);


INSERT INTO public.events_20261127 VALUES
	('2026-11-27', 'evt_01a21d688d5c015add3f5a8e6252d91d', 'zone.created', '{d4d07b5e-8aa1-4277-94ec-84c5cd944ab4}', NULL, '4ce501bf-912e-47ee-a807-379a1d1c7285', 1795789709, '2026-11-27 14:28:40.924132+00', '\x7b226964223a226576745f3031613231643638386435633031356164643366356138653632353264393164222c2274797065223a227a6f6e652e63726561746564222c22637265617465645f6174223a22323032362d31312d32375431343a32383a34302e3932345a222c2264617461223a7b227a6f6e65223a7b226964223a2234636535303162662d393132652d343765652d613830372d333739613164316337323835222c226e616d65223a226578616d706c652e74657374227d7d7d', NULL, 1),
	('2026-11-27', 'evt_01a21d6a65e7cca10c8e75e01fd0a1c4', 'zone.records_changed', '{d4d07b5e-8aa1-4277-94ec-84c5cd944ab4}', NULL, '4ce501bf-912e-47ee-a807-379a1d1c7285', 1795789840, '2026-11-27 14:30:41.89503+00', '\x7b226964223a226576745f3031613231643661363565376363613130633865373565303166643061316334222c2274797065223a227a6f6e652e7265636f7264735f6368616e676564222c22637265617465645f6174223a22323032362d31312d32375431343a33303a34312e3839355a222c2264617461223a7b227a6f6e65223a7b226964223a2234636535303162662d393132652d343765652d613830372d333739613164316337323835222c226e616d65223a226578616d706c652e74657374227d2c2273657269616c223a313739353738393834302c227265706c696361746564223a747275652c226368616e676573223a5b7b226e616d65223a226578616d706c652e74657374222c2274797065223a2241222c2274746c223a36302c227265636f726473223a5b223139322e302e322e31225d7d5d7d7d', 'req_01a21d6a5f42a7c09df7dfea07021de5', 6),
	('2026-11-27', 'evt_01a21d6a80eae56ac59510e8c803a2d7', 'zone.deleted', '{d4d07b5e-8aa1-4277-94ec-84c5cd944ab4}', NULL, '64713544-fe0a-451d-92b1-703f850e9847', NULL, '2026-11-27 14:30:48.810805+00', '\x7b226964223a226576745f3031613231643661383065616535366163353935313065386338303361326437222c2274797065223a227a6f6e652e64656c65746564222c22637265617465645f6174223a22323032362d31312d32375431343a33303a34382e3831305a222c2264617461223a7b227a6f6e65223a7b226964223a2236343731333534342d666530612d343531642d393262312d373033663835306539383437222c226e616d65223a2264656c657465642e6578616d706c65227d7d7d', 'req_01a21d6a7cf2307809ec6744b4faf42b', 12),
	('2026-11-27', 'evt_01a21d6aaad6d96b3091ac32dc27359e', 'order.paid', '{d4d07b5e-8aa1-4277-94ec-84c5cd944ab4}', NULL, NULL, NULL, '2026-11-27 14:30:59.542222+00', '\x7b226964223a226576745f3031613231643661616164366439366233303931616333326463323733353965222c2274797065223a226f726465722e70616964222c22637265617465645f6174223a22323032362d31312d32375431343a33303a35392e3534325a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231643661613036653939633133613065663032393563653664616134222c226b696e64223a227265676973746572222c226e616d65223a22636172642d73686f702e74657374222c227965617273223a312c22737461747573223a2270726f63657373696e67222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a302c2270726f6d6f5f636f6465223a22222c2270726f6d6f5f6b6f626f223a302c22636c69656e745f656d61696c223a22222c226c6173745f6572726f72223a22222c22637265617465645f6174223a22323032362d31312d32375431343a33303a35362e3931365a222c22706169645f6174223a22323032362d31312d32375431343a33303a35392e3438335a222c2266696e69736865645f6174223a22227d7d7d', NULL, 14),
	('2026-11-27', 'evt_01a21d6aac6cb6ac137f01f819d50a33', 'order.paid', '{d4d07b5e-8aa1-4277-94ec-84c5cd944ab4}', NULL, NULL, NULL, '2026-11-27 14:30:59.948083+00', '\x7b226964223a226576745f3031613231643661616336636236616331333766303166383139643530613333222c2274797065223a226f726465722e70616964222c22637265617465645f6174223a22323032362d31312d32375431343a33303a35392e3934385a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231643661616239346566643364316561653931646434346538303366222c226b696e64223a227265676973746572222c226e616d65223a226372656469742d73686f702e74657374222c227965617273223a312c22737461747573223a2270726f63657373696e67222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a3632353030302c2270726f6d6f5f636f6465223a2248414c46222c2270726f6d6f5f6b6f626f223a3632353030302c22636c69656e745f656d61696c223a22222c226c6173745f6572726f72223a22222c22637265617465645f6174223a22323032362d31312d32375431343a33303a35392e3930315a222c22706169645f6174223a22323032362d31312d32375431343a33303a35392e3930315a222c2266696e69736865645f6174223a22227d7d7d', 'req_01a21d6aab10f48f022fff351c263540', 15),
	('2026-11-27', 'evt_01a21d6ab05b4da7be564e3be083b33d', 'order.completed', '{d4d07b5e-8aa1-4277-94ec-84c5cd944ab4}', NULL, NULL, NULL, '2026-11-27 14:31:00.955814+00', '\x7b226964223a226576745f3031613231643661623035623464613762653536346533626530383362333364222c2274797065223a226f726465722e636f6d706c65746564222c22637265617465645f6174223a22323032362d31312d32375431343a33313a30302e3935355a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231643661613036653939633133613065663032393563653664616134222c226b696e64223a227265676973746572222c226e616d65223a22636172642d73686f702e74657374222c227965617273223a312c22737461747573223a22636f6d706c65746564222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a302c2270726f6d6f5f636f6465223a22222c2270726f6d6f5f6b6f626f223a302c22636c69656e745f656d61696c223a22222c226c6173745f6572726f72223a22222c22637265617465645f6174223a22323032362d31312d32375431343a33303a35362e3931365a222c22706169645f6174223a22323032362d31312d32375431343a33303a35392e3438335a222c2266696e69736865645f6174223a22323032362d31312d32375431343a33313a30302e3737345a227d7d7d', 'req_01a21d6aa00e2ecf6db15606d1f27b03', 16),
	('2026-11-27', 'evt_01a21d6ab6ebe9147c01741dd2c42be7', 'zone.delegation_changed', '{d4d07b5e-8aa1-4277-94ec-84c5cd944ab4}', NULL, '5e2191ea-6e61-4206-bb0f-baf2b6178b08', NULL, '2026-11-27 14:31:02.635551+00', '\x7b226964223a226576745f3031613231643661623665626539313437633031373431646432633432626537222c2274797065223a227a6f6e652e64656c65676174696f6e5f6368616e676564222c22637265617465645f6174223a22323032362d31312d32375431343a33313a30322e3633355a222c2264617461223a7b227a6f6e65223a7b226964223a2235653231393165612d366536312d343230362d626230662d626166326236313738623038222c226e616d65223a22636172642d73686f702e74657374227d2c227374617465223a226c697665222c2270726576696f75735f7374617465223a2277616974696e67222c22706172656e745f6e616d6573657276657273223a5b226e73312e7a6f6e657772696768742e74657374222c226e73322e7a6f6e657772696768742e74657374225d2c2272656769737472795f6e616d6573657276657273223a5b226e73312e7a6f6e657772696768742e74657374222c226e73322e7a6f6e657772696768742e74657374225d7d7d', NULL, 20),
	('2026-11-27', 'evt_01a21d6ac3b3f7cc365671a3e884ba2e', 'order.failed', '{d4d07b5e-8aa1-4277-94ec-84c5cd944ab4}', NULL, NULL, NULL, '2026-11-27 14:31:05.907954+00', '\x7b226964223a226576745f3031613231643661633362336637636333363536373161336538383462613265222c2274797065223a226f726465722e6661696c6564222c22637265617465645f6174223a22323032362d31312d32375431343a33313a30352e3930375a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231643661626234303632336233643333366162616536343735316136222c226b696e64223a227265676973746572222c226e616d65223a22726566756e6465642e74657374222c227965617273223a312c22737461747573223a226661696c6564222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a302c2270726f6d6f5f636f6465223a22222c2270726f6d6f5f6b6f626f223a302c22636c69656e745f656d61696c223a22222c226c6173745f6572726f72223a2254686520726567697374727920726566757365642074686520726571756573742e2054686520726567697374727920736179733a20506172616d657465722076616c756520706f6c696379206572726f723a20526573657276656420666f7220736f6d65626f6479202832333036292e222c22637265617465645f6174223a22323032362d31312d32375431343a33313a30332e3736385a222c22706169645f6174223a22323032362d31312d32375431343a33313a30352e3034315a222c2266696e69736865645f6174223a22323032362d31312d32375431343a33313a30352e3838365a227d7d7d', 'req_01a21d6abad3918c3e6045e231252aaf', 24),
	('2026-11-27', 'evt_01a21d6ab95fc3e7f5ce7c7c36a377ae', 'order.cancelled', '{d4d07b5e-8aa1-4277-94ec-84c5cd944ab4}', NULL, NULL, NULL, '2026-11-27 14:31:03.263125+00', '\x7b226964223a226576745f3031613231643661623935666333653766356365376337633336613337376165222c2274797065223a226f726465722e63616e63656c6c6564222c22637265617465645f6174223a22323032362d31312d32375431343a33313a30332e3236335a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231643661623836383331646331636134363136346163633735336562222c226b696e64223a227265676973746572222c226e616d65223a2263616e63656c6c65642e74657374222c227965617273223a312c22737461747573223a2263616e63656c6c6564222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a302c2270726f6d6f5f636f6465223a22222c2270726f6d6f5f6b6f626f223a302c22636c69656e745f656d61696c223a22222c226c6173745f6572726f72223a22222c22637265617465645f6174223a22323032362d31312d32375431343a33313a30332e3034395a222c22706169645f6174223a22222c2266696e69736865645f6174223a22323032362d31312d32375431343a33313a30332e3230365a227d7d7d', 'req_01a21d6ab8c34acd09f07a4f1831ac9a', 22),
	('2026-11-27', 'evt_01a21d6adc4b277c97959d17ef5ce36f', 'order.refunded', '{d4d07b5e-8aa1-4277-94ec-84c5cd944ab4}', NULL, NULL, NULL, '2026-11-27 14:31:12.203414+00', '\x7b226964223a226576745f3031613231643661646334623237376339373935396431376566356365333666222c2274797065223a226f726465722e726566756e646564222c22637265617465645f6174223a22323032362d31312d32375431343a33313a31322e3230335a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231643661626234303632336233643333366162616536343735316136222c226b696e64223a227265676973746572222c226e616d65223a22726566756e6465642e74657374222c227965617273223a312c22737461747573223a22726566756e646564222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a302c2270726f6d6f5f636f6465223a22222c2270726f6d6f5f6b6f626f223a302c22636c69656e745f656d61696c223a22222c226c6173745f6572726f72223a2254686520726567697374727920726566757365642074686520726571756573742e2054686520726567697374727920736179733a20506172616d657465722076616c756520706f6c696379206572726f723a20526573657276656420666f7220736f6d65626f6479202832333036292e222c22637265617465645f6174223a22323032362d31312d32375431343a33313a30332e3736385a222c22706169645f6174223a22323032362d31312d32375431343a33313a30352e3034315a222c2266696e69736865645f6174223a22323032362d31312d32375431343a33313a30352e3838365a227d7d7d', NULL, 25),
	('2026-11-27', 'evt_01a21d6afaaa749752f09cf2d59ede79', 'order.credited', '{d4d07b5e-8aa1-4277-94ec-84c5cd944ab4}', NULL, NULL, NULL, '2026-11-27 14:31:19.978871+00', '\x7b226964223a226576745f3031613231643661666161613734393735326630396366326435396564653739222c2274797065223a226f726465722e6372656469746564222c22637265617465645f6174223a22323032362d31312d32375431343a33313a31392e3937385a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231643661646566396637346465343861386638633534643839663037222c226b696e64223a227265676973746572222c226e616d65223a2263726564697465642e74657374222c227965617273223a312c22737461747573223a226372656469746564222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a302c2270726f6d6f5f636f6465223a22222c2270726f6d6f5f6b6f626f223a302c22636c69656e745f656d61696c223a22222c226c6173745f6572726f72223a2254686520726567697374727920726566757365642074686520726571756573742e2054686520726567697374727920736179733a20506172616d657465722076616c756520706f6c696379206572726f723a20526573657276656420666f7220736f6d65626f6479202832333036292e222c22637265617465645f6174223a22323032362d31312d32375431343a33313a31322e3839305a222c22706169645f6174223a22323032362d31312d32375431343a33313a31332e3439365a222c2266696e69736865645f6174223a22323032362d31312d32375431343a33313a31332e3838375a227d7d7d', NULL, 28);


INSERT INTO public.former_cuts VALUES
	('2d4bbf4f-101f-4945-9ced-e85e7cb09e71', 'old.free.example.net');


INSERT INTO public.former_nameservers VALUES
	('c7e36a0b-31e6-44a4-8ae0-89d6a7d88317', '{ns1.old.example,ns2.old.example}');


INSERT INTO public.free_subdomains VALUES
	('petals.free.example.net', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'da438391-c77b-47e1-8b1b-ecdb3633480c', '2026-11-27 14:30:45.483752+00', NULL),
	('old.free.example.net', 'de74bafa-5529-4ccd-8484-c5aac7efe120', 'cb3f2533-9138-4a74-9192-a4ed53052b6a', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00');


INSERT INTO public.idempotency_keys VALUES
	('key_01a21d68624f42025b83f5e32643dc43', 'import-1', '\xcb5c45c41f8b2a6fc3d8ebdb832dcad04f3f16cb64b8b02c99f2ff48a6c0ab80', 200, '{"status":200,"body":{"version":3,"serial":1795789842,"diff":{"changes":[{"name":"ftp.example.test","type":"A","before":null,"after":{"ttl":300,"records":["192.0.2.9"]}}]},"warnings":[],"ignored":[],"ignored_count":0,"adapted":[],"adapted_count":0,"errors":[]},"headers":{"etag":"\"3\"","zone-serial":"1795789842"},"zoneSerial":1795789842}', '2026-11-27 14:30:41.991321+00'),
	('key_under_way', 'under-way', '\x00', NULL, NULL, '2026-11-27 14:31:25.849276+00');


INSERT INTO public.invitation_hours VALUES
	('d4d07b5e-8aa1-4277-94ec-84c5cd944ab4', '2026-11-27 14:00:00+00', 3);


INSERT INTO public.ledger_entries OVERRIDING SYSTEM VALUE VALUES
	(1, '2026-11-27 14:28:55.329232+00', 'credit_granted', 'grants', 'credit', 15000000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', NULL, NULL, 'a gift'),
	(2, '2026-11-27 14:30:59.518159+00', 'card_paid', 'card', 'order', 1250000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6aa06e99c13a0ef0295ce6daa4', NULL, ''),
	(3, '2026-11-27 14:30:59.903398+00', 'credit_used', 'credit', 'order', 625000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6aab94efd3d1eae91dd44e803f', NULL, ''),
	(4, '2026-11-27 14:31:00.775274+00', 'earned', 'order', 'sales', 1250000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6aa06e99c13a0ef0295ce6daa4', NULL, ''),
	(5, '2026-11-27 14:31:01.286166+00', 'earned', 'order', 'sales', 625000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6aab94efd3d1eae91dd44e803f', NULL, ''),
	(6, '2026-11-27 14:31:05.100614+00', 'card_paid', 'card', 'order', 1250000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6abb40623b3d336abae64751a6', NULL, ''),
	(7, '2026-11-27 14:31:12.166386+00', 'card_refunded', 'order', 'card', 1250000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6abb40623b3d336abae64751a6', NULL, ''),
	(8, '2026-11-27 14:31:13.507209+00', 'card_paid', 'card', 'order', 1250000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6adef9f74de48a8f8c54d89f07', NULL, ''),
	(9, '2026-11-27 14:31:19.933266+00', 'card_credited', 'order', 'credit', 1250000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6adef9f74de48a8f8c54d89f07', NULL, 'credited.test'),
	(10, '2026-11-27 14:31:20.945048+00', 'credit_used', 'credit', 'order', 1400000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6afe56e6085c7fc3231c33a96f', NULL, ''),
	(11, '2026-11-27 14:31:21.361625+00', 'earned', 'order', 'sales', 1400000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6afe56e6085c7fc3231c33a96f', NULL, ''),
	(12, '2026-11-27 14:31:25.849276+00', 'credit_used', 'credit', 'order', 625000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6b1199c84d535150f6636dba6d', NULL, ''),
	(13, '2026-11-27 14:31:25.849276+00', 'credit_used', 'credit', 'order', 625000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6b11992c2d44084fa858990a59', NULL, ''),
	(14, '2026-11-27 14:31:25.849276+00', 'credit_used', 'credit', 'order', 625000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6b11996b014e34a4205ab8e79c', NULL, ''),
	(15, '2026-11-27 14:31:25.849276+00', 'credit_used', 'credit', 'order', 625000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6b11997b614877407e24c1bd5a', NULL, ''),
	(16, '2026-11-27 14:31:25.849276+00', 'credit_used', 'credit', 'order', 625000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6b119940f02d4e9d24401ab049', NULL, ''),
	(17, '2026-11-27 14:31:25.849276+00', 'credit_used', 'credit', 'order', 625000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'ord_01a21d6b1199468bc7f23d225345d5ae', NULL, ''),
	(18, '2026-11-27 14:31:25.849276+00', 'credit_revoked', 'credit', 'grants', 5000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', NULL, NULL, 'every book'),
	(19, '2026-11-27 14:31:25.849276+00', 'sale_reversed', 'sales', 'credit', 5000, 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', NULL, NULL, 'every book');


INSERT INTO public.mails VALUES
	('mail_01a21d6a5783a658e613dbe73270a349', 'signed_in', 'demo@zonewright.test', NULL, NULL, '2026-11-27 14:30:38.219864+00', 'req_01a21d6a525f1e15e6d3d62951d24b76', '2026-11-29 14:30:38.219864+00', NULL, NULL, 1, NULL, NULL, '2026-11-27 14:30:40.503546+00'),
	('mail_01a21d6a8406eeb92c7b64c6c75039fd', 'zone_invitation', 'invited@example.net', NULL, NULL, '2026-11-27 14:30:49.610119+00', 'req_01a21d6a814666bd770962332b724d01', '2026-11-29 14:30:49.610119+00', NULL, NULL, 1, NULL, NULL, '2026-11-27 14:30:50.47654+00'),
	('mail_01a21d6a9ced77f88e25a5f3c5e8ceb5', 'reset_password', 'manager@example.net', NULL, NULL, '2026-11-27 14:30:55.985845+00', 'req_01a21d6a9c70b62269d6b361ad080ad8', '2026-11-27 15:30:55.985845+00', NULL, NULL, 1, NULL, NULL, '2026-11-27 14:30:56.662645+00'),
	('mail_01a21d6b089cc66800f91d0fa6ddc2f7', 'domain_invitation', 'invited@example.net', NULL, NULL, '2026-11-27 14:31:23.550375+00', 'req_01a21d6b07e792075271ccbc0e29fe94', '2026-11-29 14:31:23.550375+00', NULL, NULL, 1, NULL, NULL, '2026-11-27 14:31:23.99808+00'),
	('mail_01a21d6a85484b5e6abf17d3ae3c1f33', 'finish_sign_up', 'manager@example.net', NULL, NULL, '2026-11-27 14:30:49.932937+00', 'req_01a21d6a8487525e35d0be17772b0761', '2026-11-28 14:30:49.932937+00', NULL, NULL, 1, NULL, NULL, '2026-11-27 14:30:50.571498+00'),
	('mail_01a21d6a9da28c55d4000542d22c4287', 'finish_sign_up', 'not-yet@example.net', NULL, NULL, '2026-11-27 14:30:56.163493+00', 'req_01a21d6a9d3b2ff6ea7ae7d3936c4f99', '2026-11-28 14:30:56.163493+00', NULL, NULL, 1, NULL, NULL, '2026-11-27 14:30:56.977041+00'),
	('mail_01a21d6b07a5d8650ad2ecffc0baff4e', 'domain_invitation', 'manager@example.net', NULL, NULL, '2026-11-27 14:31:23.3023+00', 'req_01a21d6b06fe1dc1a8a82c5db4d53424', '2026-11-29 14:31:23.3023+00', NULL, NULL, 1, NULL, NULL, '2026-11-27 14:31:23.827591+00'),
	('mail_01a21d6b0a969c0102c67fc469aaae19', 'key_created', 'demo@zonewright.test', NULL, NULL, '2026-11-27 14:31:24.056329+00', 'req_01a21d6b08ec24b98dbc45391119dc6e', '2026-11-29 14:31:24.056329+00', NULL, NULL, 1, NULL, NULL, '2026-11-27 14:31:24.477606+00'),
	('mail_01a21d6b1199755aa22435495e7b9714', 'zone_lost', 'parent@example.net', NULL, NULL, '2026-11-24 14:31:25.849276+00', NULL, '2026-11-26 14:31:25.849276+00', NULL, NULL, 0, 'too_late', NULL, NULL);


INSERT INTO public.nameservers VALUES
	('ns2.zonewright.test', '127.0.0.1:26729', 2, NULL, NULL),
	('ns2.old.example', '192.0.2.53:53', 9, NULL, '2026-11-27 14:31:25.849276+00'),
	('ns1.zonewright.test', '127.0.0.1:31532', 1, '2026-11-27 14:31:25.849276+00', NULL);


INSERT INTO public.orders VALUES
	('ord_01a21d6aa06e99c13a0ef0295ce6daa4', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aa00e2ecf6db15606d1f27b03', 'register', 'card-shop.test', 'test', 1, 'completed', NULL, 1250000, 0, '', 0, 1250000, 1400000, NULL, '', '', NULL, '', NULL, '2026-11-27 14:30:56.916703+00', '2026-11-27 14:30:59.48317+00', '2026-11-27 14:31:00.774663+00', '2026-11-27 14:31:00.774663+00', NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x010cf02af21884d28bb027675cc3977da13f5a0052daebd2afda4c1176a51c540d6da35e2277934f44291ce43202e9df0b61da42bf', 'ZWE7A28E55608385', NULL, NULL, NULL),
	('ord_01a21d6aab94efd3d1eae91dd44e803f', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aab10f48f022fff351c263540', 'register', 'credit-shop.test', 'test', 1, 'completed', NULL, 1250000, 625000, 'HALF', 625000, 0, 1400000, NULL, '', '', NULL, '', NULL, '2026-11-27 14:30:59.901866+00', '2026-11-27 14:30:59.901866+00', '2026-11-27 14:31:01.285852+00', '2026-11-27 14:31:01.285852+00', NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0191978de3bb9812918a6354c9f2ec9c22fabafea51bd96eb527c41a83febcf49202173010fa9d0c11ad9c3abc081d363b87e46285', 'ZWB004A415C338AF', NULL, NULL, NULL),
	('ord_01a21d6ab0b37c00be9bf2b7b99f3e09', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6ab040986a5a6d9a2e90ed7e0c', 'register', 'declined.test', 'test', 1, 'pending_payment', NULL, 1250000, 0, 'ONCE', 312500, 0, 1400000, NULL, '', '', 'awaiting_payment', 'Waiting for payment.', NULL, '2026-11-27 14:31:01.162089+00', NULL, NULL, NULL, '2026-12-04 14:31:02.323+00', '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x01bb9f1fc05abd844ae25fee0607a2cb73ad8301ac157ad69bc3a38cb3f6b20e2f5c479a5ff53443e23ba674e9bbc429a1198d0f3a', 'ZWF3D08C48DD79A2', NULL, NULL, NULL),
	('ord_01a21d6ab86831dc1ca46164acc753eb', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6ab835baabad57316a9a1e34c3', 'register', 'cancelled.test', 'test', 1, 'cancelled', 'owner', 1250000, 0, '', 0, 0, 1400000, NULL, '', '', NULL, '', NULL, '2026-11-27 14:31:03.049525+00', NULL, '2026-11-27 14:31:03.206173+00', NULL, NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0117e5277837fd401a60e9ba2765c04830fa7dc233b5a2c7ff967a2017be81651311ef7ee3bc7a8c1fc5739e9167eb5141d770e917', 'ZWCA5EEA426602BB', NULL, NULL, NULL),
	('ord_01a21d6abb40623b3d336abae64751a6', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6abad3918c3e6045e231252aaf', 'register', 'refunded.test', 'test', 1, 'refunded', NULL, 1250000, 0, '', 0, 1250000, 1400000, NULL, '', 'The registry refused the request. The registry says: Parameter value policy error: Reserved for somebody (2306).', NULL, '', NULL, '2026-11-27 14:31:03.768757+00', '2026-11-27 14:31:05.041567+00', '2026-11-27 14:31:05.886227+00', NULL, NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0113a534903a84b2717217d9ba8c37eccf2a2bfd1818870e911aa1c4db4605dc2504834859f26aaf3e9fdd00a318a517b537b677cb', 'ZW3C2AEAFA2A8D93', NULL, NULL, NULL),
	('ord_01a21d6adef9f74de48a8f8c54d89f07', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aded343a2ee9325716f2454d1', 'register', 'credited.test', 'test', 1, 'credited', NULL, 1250000, 0, '', 0, 1250000, 1400000, NULL, '', 'The registry refused the request. The registry says: Parameter value policy error: Reserved for somebody (2306).', NULL, '', NULL, '2026-11-27 14:31:12.890251+00', '2026-11-27 14:31:13.496735+00', '2026-11-27 14:31:13.887459+00', NULL, NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x015dd6bb3c588f70a2474f1ef1dfe6705f9d6e6084e492e039d5c4e4b8dbe34da18a11dc664a49f5f6090ac270464eef30e15816b8', 'ZWA25C8374C7148E', NULL, NULL, NULL),
	('ord_01a21d6afe56e6085c7fc3231c33a96f', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6afe12fa1bb9fb30d48f0f5b4e', 'renew', 'card-shop.test', 'test', 1, 'completed', NULL, 1400000, 1400000, '', 0, 0, 1400000, NULL, '', '', NULL, '', NULL, '2026-11-27 14:31:20.94459+00', '2026-11-27 14:31:20.94459+00', '2026-11-27 14:31:21.36095+00', '2026-11-27 14:31:21.36095+00', NULL, NULL, false, '{ns1.zonewright.test,ns2.zonewright.test}', NULL, NULL, '2027-11-27 14:31:00.302+00', NULL, NULL),
	('ord_01a21d6b1199c84d535150f6636dba6d', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aab10f48f022fff351c263540', 'register', 'sending.test', 'test', 1, 'processing', NULL, 1250000, 625000, 'HALF', 625000, 0, 1400000, NULL, '', '', 'sending', 'sending', NULL, '2026-11-27 14:30:59.901866+00', '2026-11-27 14:31:25.849276+00', NULL, NULL, NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0191978de3bb9812918a6354c9f2ec9c22fabafea51bd96eb527c41a83febcf49202173010fa9d0c11ad9c3abc081d363b87e46285', 'ZWB004A415C338AF', NULL, NULL, '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b11992c2d44084fa858990a59', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aab10f48f022fff351c263540', 'register', 'checking.test', 'test', 1, 'processing', NULL, 1250000, 625000, 'HALF', 625000, 0, 1400000, NULL, '', '', 'checking', 'checking', NULL, '2026-11-27 14:30:59.901866+00', '2026-11-27 14:31:25.849276+00', NULL, NULL, NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0191978de3bb9812918a6354c9f2ec9c22fabafea51bd96eb527c41a83febcf49202173010fa9d0c11ad9c3abc081d363b87e46285', 'ZWB004A415C338AF', NULL, NULL, '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b11996b014e34a4205ab8e79c', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aab10f48f022fff351c263540', 'register', 'pending.test', 'test', 1, 'processing', NULL, 1250000, 625000, 'HALF', 625000, 0, 1400000, NULL, '', '', 'registry_pending', 'registry_pending', NULL, '2026-11-27 14:30:59.901866+00', '2026-11-27 14:31:25.849276+00', NULL, NULL, NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0191978de3bb9812918a6354c9f2ec9c22fabafea51bd96eb527c41a83febcf49202173010fa9d0c11ad9c3abc081d363b87e46285', 'ZWB004A415C338AF', NULL, NULL, '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b11997b614877407e24c1bd5a', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aab10f48f022fff351c263540', 'register', 'stuck.test', 'test', 1, 'processing', NULL, 1250000, 625000, 'HALF', 625000, 0, 1400000, NULL, '', '', 'action_required', 'action_required', NULL, '2026-11-27 14:30:59.901866+00', '2026-11-27 14:31:25.849276+00', NULL, NULL, NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0191978de3bb9812918a6354c9f2ec9c22fabafea51bd96eb527c41a83febcf49202173010fa9d0c11ad9c3abc081d363b87e46285', 'ZWB004A415C338AF', NULL, NULL, '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b119940f02d4e9d24401ab049', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aab10f48f022fff351c263540', 'transfer', 'moving.test', 'test', 1, 'processing', NULL, 1250000, 625000, 'HALF', 625000, 0, 1400000, NULL, '', '', 'registry_pending', 'registry_pending', NULL, '2026-11-27 14:30:59.901866+00', '2026-11-27 14:31:25.849276+00', NULL, NULL, NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0191978de3bb9812918a6354c9f2ec9c22fabafea51bd96eb527c41a83febcf49202173010fa9d0c11ad9c3abc081d363b87e46285', 'ZWB004A415C338AF', NULL, NULL, '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b1199468bc7f23d225345d5ae', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aab10f48f022fff351c263540', 'register', 'refunding.test', 'test', 1, 'failed', NULL, 1250000, 625000, 'HALF', 625000, 0, 1400000, NULL, '', '', 'refunding', 'refunding', NULL, '2026-11-27 14:30:59.901866+00', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', NULL, NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0191978de3bb9812918a6354c9f2ec9c22fabafea51bd96eb527c41a83febcf49202173010fa9d0c11ad9c3abc081d363b87e46285', 'ZWB004A415C338AF', NULL, NULL, '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b1199c0e28905d9d461271e1b', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aab10f48f022fff351c263540', 'register', 'expired.test', 'test', 1, 'cancelled', 'expiry', 1250000, 625000, 'HALF', 625000, 0, 1400000, NULL, '', '', NULL, '', NULL, '2026-11-27 14:30:59.901866+00', NULL, '2026-11-27 14:31:25.849276+00', NULL, NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0191978de3bb9812918a6354c9f2ec9c22fabafea51bd96eb527c41a83febcf49202173010fa9d0c11ad9c3abc081d363b87e46285', 'ZWB004A415C338AF', NULL, NULL, NULL),
	('ord_01a21d6b11999ad2cd89ac72dd18c43f', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aab10f48f022fff351c263540', 'register', 'refused.test', 'test', 1, 'cancelled', 'refusal', 1250000, 625000, 'HALF', 625000, 0, 1400000, NULL, '', '', NULL, '', NULL, '2026-11-27 14:30:59.901866+00', NULL, '2026-11-27 14:31:25.849276+00', NULL, NULL, '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0191978de3bb9812918a6354c9f2ec9c22fabafea51bd96eb527c41a83febcf49202173010fa9d0c11ad9c3abc081d363b87e46285', 'ZWB004A415C338AF', NULL, NULL, NULL),
	('ord_01a21d6b1199c0bfff9d062cf93e4750', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aab10f48f022fff351c263540', 'register', 'half-one.test', 'test', 1, 'pending_payment', NULL, 1250000, 625000, 'HALF', 625000, 0, 1400000, NULL, '', '', 'awaiting_payment', 'awaiting_payment', NULL, '2026-11-27 14:30:59.901866+00', NULL, NULL, NULL, '2026-11-28 14:31:25.849276+00', '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0191978de3bb9812918a6354c9f2ec9c22fabafea51bd96eb527c41a83febcf49202173010fa9d0c11ad9c3abc081d363b87e46285', 'ZWB004A415C338AF', NULL, NULL, NULL),
	('ord_01a21d6b1199eb36d608f6bb9da0a8b9', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'key_01a21d68624f42025b83f5e32643dc43', 'req_01a21d6aab10f48f022fff351c263540', 'register', 'half-two.test', 'test', 1, 'pending_payment', NULL, 1250000, 625000, 'HALF', 625000, 0, 1400000, NULL, '', '', 'awaiting_payment', 'awaiting_payment', NULL, '2026-11-27 14:30:59.901866+00', NULL, NULL, NULL, '2026-11-28 14:31:25.849276+00', '{"id": "con_01a21d6a5ad96c1cd2c975cd2f39f623", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-27T14:30:39.069Z", "updatedAt": "2026-11-27T14:30:39.069Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0191978de3bb9812918a6354c9f2ec9c22fabafea51bd96eb527c41a83febcf49202173010fa9d0c11ad9c3abc081d363b87e46285', 'ZWB004A415C338AF', NULL, NULL, NULL);


INSERT INTO public.pay_links VALUES
	('ord_01a21d6ab0b37c00be9bf2b7b99f3e09', '\xab0fc6890c1bb939ee0852176fc86bff4e1f6cf618677f94eef785d6f2fe5948', '\x0107286f6534c80345a1abe030f8005a302ca98e47c42753f0ba62af448a7eb0d8c3f984b1907da311bc9767438d13b27f67fbe33b79f2c227d123ce8b', '2026-11-27 14:31:02.323199+00', '2026-12-04 14:31:02.323199+00');


INSERT INTO public.payments VALUES
	('pay_01a21d6aa18e1446041e61471590ee98', 'pay-01a21d6aa18e1446041e61471590ee98', 'ord_01a21d6aa06e99c13a0ef0295ce6daa4', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'demo@zonewright.test', 1250000, 'succeeded', 'order', 1250000, 'http://127.0.0.1:26831/checkout/pay-01a21d6aa18e1446041e61471590ee98', NULL, NULL, NULL, 0, NULL, NULL, '2026-11-27 14:30:57.175681+00', NULL, NULL),
	('pay_01a21d6ab2a3970a085bedd16af4c070', 'pay-01a21d6ab2a3970a085bedd16af4c070', 'ord_01a21d6ab0b37c00be9bf2b7b99f3e09', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'demo@zonewright.test', 937500, 'open', NULL, NULL, 'http://127.0.0.1:26831/checkout/pay-01a21d6ab2a3970a085bedd16af4c070', NULL, NULL, NULL, 0, NULL, NULL, '2026-11-27 14:31:01.539354+00', '2026-11-27 14:31:31.539354+00', NULL),
	('pay_01a21d6adf3ec2e63b381a508b253540', 'pay-01a21d6adf3ec2e63b381a508b253540', 'ord_01a21d6adef9f74de48a8f8c54d89f07', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'demo@zonewright.test', 1250000, 'succeeded', 'order', 1250000, 'http://127.0.0.1:26831/checkout/pay-01a21d6adf3ec2e63b381a508b253540', 'failed', '1006', '2026-11-27 14:31:13.887833+00', 1, NULL, NULL, '2026-11-27 14:31:12.960705+00', NULL, NULL),
	('pay_01a21d6abc966bb2c34d3a0f3674e180', 'pay-01a21d6abc966bb2c34d3a0f3674e180', 'ord_01a21d6abb40623b3d336abae64751a6', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'demo@zonewright.test', 1250000, 'succeeded', 'order', 1250000, 'http://127.0.0.1:26831/checkout/pay-01a21d6abc966bb2c34d3a0f3674e180', 'processed', '1004', '2026-11-27 14:31:05.886645+00', 1, NULL, NULL, '2026-11-27 14:31:04.086978+00', NULL, NULL),
	('pay_01a21d6b1199f91e35ab230525d562b4', 'pay-failed', 'ord_01a21d6abb40623b3d336abae64751a6', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'demo@zonewright.test', 1250000, 'failed', NULL, 1250000, 'http://127.0.0.1:26831/checkout/pay-01a21d6abc966bb2c34d3a0f3674e180', NULL, '1004', '2026-11-27 14:31:05.886645+00', 1, NULL, NULL, '2026-11-27 14:31:04.086978+00', NULL, NULL),
	('pay_01a21d6b1199c0556569eee3218e0eda', 'pay-surplus', 'ord_01a21d6abb40623b3d336abae64751a6', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'demo@zonewright.test', 1250000, 'succeeded', 'surplus', 1250000, 'http://127.0.0.1:26831/checkout/pay-01a21d6abc966bb2c34d3a0f3674e180', 'wanted', '1004', '2026-11-27 14:31:05.886645+00', 1, NULL, NULL, '2026-11-27 14:31:04.086978+00', '2026-11-27 14:31:25.849276+00', NULL),
	('pay_01a21d6b1199b8d18608671a26397894', 'pay-posted', 'ord_01a21d6abb40623b3d336abae64751a6', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'demo@zonewright.test', 1250000, 'succeeded', 'surplus', 1250000, 'http://127.0.0.1:26831/checkout/pay-01a21d6abc966bb2c34d3a0f3674e180', 'posted', '1004', '2026-11-27 14:31:05.886645+00', 1, NULL, NULL, '2026-11-27 14:31:04.086978+00', '2026-11-27 14:31:25.849276+00', NULL),
	('pay_01a21d6b1199c0ba1048249090d00107', 'pay-attention', 'ord_01a21d6abb40623b3d336abae64751a6', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'demo@zonewright.test', 1250000, 'succeeded', 'surplus', 1250000, 'http://127.0.0.1:26831/checkout/pay-01a21d6abc966bb2c34d3a0f3674e180', 'needs_attention', '1004', '2026-11-27 14:31:05.886645+00', 1, NULL, NULL, '2026-11-27 14:31:04.086978+00', NULL, NULL);


INSERT INTO public.promo_codes VALUES
	('HALF', 50, NULL, NULL, NULL, NULL, '2026-11-27 14:29:10.109715+00', NULL, NULL, false, NULL, '2026-11-27 14:29:10.109715+00'),
	('ONCE', 25, NULL, NULL, NULL, NULL, '2026-11-27 14:29:27.640632+00', NULL, NULL, true, NULL, '2026-11-27 14:29:27.640632+00'),
	('FIXED-2026', NULL, 100000, '{register,renew}', '{test}', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', '2026-11-27 14:31:25.849276+00', '2027-11-27 14:31:25.849276+00', 10, false, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00');


INSERT INTO public.promo_uses VALUES
	('ord_01a21d6ab0b37c00be9bf2b7b99f3e09', 'ONCE', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'reserved', '2026-11-27 14:31:01.141792+00', NULL),
	('ord_01a21d6aab94efd3d1eae91dd44e803f', 'HALF', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'consumed', '2026-11-27 14:30:59.773276+00', '2026-11-27 14:31:01.298287+00'),
	('ord_01a21d6b1199c84d535150f6636dba6d', 'HALF', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'consumed', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b11992c2d44084fa858990a59', 'HALF', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'consumed', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b11996b014e34a4205ab8e79c', 'HALF', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'consumed', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b11997b614877407e24c1bd5a', 'HALF', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'consumed', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b119940f02d4e9d24401ab049', 'HALF', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'consumed', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b1199468bc7f23d225345d5ae', 'HALF', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'freed', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b1199c0e28905d9d461271e1b', 'HALF', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'freed', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b11999ad2cd89ac72dd18c43f', 'HALF', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'freed', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	('ord_01a21d6b1199c0bfff9d062cf93e4750', 'HALF', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'reserved', '2026-11-27 14:31:25.849276+00', NULL),
	('ord_01a21d6b1199eb36d608f6bb9da0a8b9', 'HALF', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'reserved', '2026-11-27 14:31:25.849276+00', NULL);


INSERT INTO public.quotes VALUES
	('quo_01a21d6a9f0fa4c0abe1f3812934e47e', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'register', 'card-shop.test', 'test', 1, true, false, 1250000, '', 0, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-27 14:30:56.530722+00', '2026-11-27 15:00:56.530722+00'),
	('quo_01a21d6aaada3046eae462da948d0d08', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'register', 'credit-shop.test', 'test', 1, true, false, 1250000, 'HALF', 625000, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-27 14:30:59.553215+00', '2026-11-27 15:00:59.553215+00'),
	('quo_01a21d6aaee4b5f21df915325c693e0d', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'register', 'declined.test', 'test', 1, true, false, 1250000, 'ONCE', 312500, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-27 14:31:00.583265+00', '2026-11-27 15:01:00.583265+00'),
	('quo_01a21d6ab74e955896341bd1c4cb78b1', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'register', 'cancelled.test', 'test', 1, true, false, 1250000, '', 0, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-27 14:31:02.735655+00', '2026-11-27 15:01:02.735655+00'),
	('quo_01a21d6abab11071b8e95197a2f7b440', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'register', 'refunded.test', 'test', 1, true, false, 1250000, '', 0, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-27 14:31:03.602003+00', '2026-11-27 15:01:03.602003+00'),
	('quo_01a21d6adea4e2282cf6cda6bf1e579d', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'register', 'credited.test', 'test', 1, true, false, 1250000, '', 0, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-27 14:31:12.808509+00', '2026-11-27 15:01:12.808509+00'),
	('quo_01a21d6afdcb8072e67efa4d1c9a19f7', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'renew', 'card-shop.test', 'test', 1, true, false, 1400000, '', 0, 1400000, NULL, '2027-11-27 14:31:00.302+00', '{"contact": false, "auth_code": false, "contact_fields": []}', '2026-11-27 14:31:20.784164+00', '2026-11-27 15:01:20.784164+00'),
	('quo_01a21d6b1199fbe608238711497cd53f', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'transfer', 'moving.test', 'test', 1, true, false, 1250000, 'HALF', 625000, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-27 14:30:59.553215+00', '2026-11-27 15:00:59.553215+00');


INSERT INTO public.registry_commands OVERRIDING SYSTEM VALUE VALUES
	(1, 'ord_01a21d6aa06e99c13a0ef0295ce6daa4', NULL, 'contact', 1, NULL, 'ZW-be42d99978526f2a7fde93b6', 'done', '2026-11-27 14:30:59.702105+00', '2026-11-27 14:30:59.946535+00', NULL, 1000, 'Command completed successfully'),
	(2, 'ord_01a21d6aa06e99c13a0ef0295ce6daa4', NULL, 'create', 1, NULL, 'ZW-ade72b28162198e248f1ac89', 'done', '2026-11-27 14:30:59.97495+00', '2026-11-27 14:31:00.468843+00', NULL, 1000, 'Command completed successfully'),
	(3, 'ord_01a21d6aab94efd3d1eae91dd44e803f', NULL, 'contact', 1, NULL, 'ZW-71155dbb9b0ad4eb6f356dc3', 'done', '2026-11-27 14:31:00.248414+00', '2026-11-27 14:31:00.811723+00', NULL, 1000, 'Command completed successfully'),
	(4, 'ord_01a21d6aab94efd3d1eae91dd44e803f', NULL, 'create', 1, NULL, 'ZW-78c8c34c65c5232f6c86b599', 'done', '2026-11-27 14:31:00.937123+00', '2026-11-27 14:31:01.193277+00', NULL, 1000, 'Command completed successfully'),
	(5, 'ord_01a21d6abb40623b3d336abae64751a6', NULL, 'contact', 1, NULL, 'ZW-01cfb47dfb1e56c4e086528b', 'done', '2026-11-27 14:31:05.402409+00', '2026-11-27 14:31:05.549955+00', NULL, 1000, 'Command completed successfully'),
	(6, 'ord_01a21d6abb40623b3d336abae64751a6', NULL, 'create', 1, NULL, 'ZW-e6d25fa38cba166c6f4b7766', 'refused', '2026-11-27 14:31:05.598002+00', '2026-11-27 14:31:05.847235+00', NULL, 2306, 'Parameter value policy error: Reserved for somebody'),
	(7, 'ord_01a21d6adef9f74de48a8f8c54d89f07', NULL, 'contact', 1, NULL, 'ZW-a0bcd4f8becebd3531517eee', 'done', '2026-11-27 14:31:13.582713+00', '2026-11-27 14:31:13.739028+00', NULL, 1000, 'Command completed successfully'),
	(8, 'ord_01a21d6adef9f74de48a8f8c54d89f07', NULL, 'create', 1, NULL, 'ZW-0d43077ee0e96fd9fa5968b0', 'refused', '2026-11-27 14:31:13.750266+00', '2026-11-27 14:31:13.878937+00', NULL, 2306, 'Parameter value policy error: Reserved for somebody'),
	(9, 'ord_01a21d6afe56e6085c7fc3231c33a96f', NULL, 'renew', 1, NULL, 'ZW-177c5e82155f24a957ee37ac', 'done', '2026-11-27 14:31:21.046481+00', '2026-11-27 14:31:21.225319+00', NULL, 1000, 'Command completed successfully'),
	(10, NULL, 1, 'lock', NULL, 'credit-shop.test', 'ZW-41b36b475b9686fcfeddcaee', 'done', '2026-11-27 14:31:21.874575+00', '2026-11-27 14:31:22.040488+00', NULL, 1000, 'Command completed successfully'),
	(11, NULL, 2, 'allow_updates', NULL, 'credit-shop.test', 'ZW-c7649073e2c348d2c47cf5db', 'done', '2026-11-27 14:31:22.873333+00', '2026-11-27 14:31:22.939644+00', NULL, 1000, 'Command completed successfully'),
	(12, NULL, 2, 'set_nameservers', NULL, 'credit-shop.test', 'ZW-3ce8547f7f82fc33ce8798d0', 'done', '2026-11-27 14:31:22.976271+00', '2026-11-27 14:31:23.04508+00', NULL, 1000, 'Command completed successfully'),
	(13, NULL, 2, 'prohibit_updates', NULL, 'credit-shop.test', 'ZW-4f2e09d626ca97287abdeea6', 'done', '2026-11-27 14:31:23.061372+00', '2026-11-27 14:31:23.076557+00', NULL, 1000, 'Command completed successfully'),
	(14, 'ord_01a21d6b1199c84d535150f6636dba6d', NULL, 'create', 2, NULL, 'ZW-bcabd47385a62a1e50313c2f', 'sending', '2026-11-27 14:31:25.849276+00', NULL, NULL, NULL, ''),
	(15, 'ord_01a21d6b1199c84d535150f6636dba6d', NULL, 'create', 1, NULL, 'ZW-10673f9a052fa5acf2385b70', 'not_done', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', NULL, ''),
	(16, 'ord_01a21d6b11992c2d44084fa858990a59', NULL, 'create', 1, NULL, 'ZW-320ae5d0b28aa2671c05e8bc', 'unknown', '2026-11-27 14:31:25.849276+00', NULL, '2026-11-27 14:31:25.849276+00', NULL, ''),
	(17, 'ord_01a21d6b11996b014e34a4205ab8e79c', NULL, 'create', 1, NULL, 'ZW-0c37e2ecc7d4fd4c129717b1', 'pending', '2026-11-27 14:31:25.849276+00', NULL, NULL, 1001, ''),
	(18, 'ord_01a21d6b11997b614877407e24c1bd5a', NULL, 'create', 1, NULL, 'ZW-370c20676f5732907c4e5de7', 'unknown', '2026-11-27 14:31:25.849276+00', NULL, NULL, NULL, ''),
	(19, 'ord_01a21d6b119940f02d4e9d24401ab049', NULL, 'transfer', 1, NULL, 'ZW-1d1de485f79955c66a21f25f', 'pending', '2026-11-27 14:31:25.849276+00', NULL, NULL, 1001, ''),
	(20, 'ord_01a21d6b1199468bc7f23d225345d5ae', NULL, 'create', 1, NULL, 'ZW-5274255a77faa76c057f7533', 'refused', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', NULL, 2306, ''),
	(21, NULL, 3, 'lock', NULL, 'card-shop.test', 'ZW-99cf54f8b1a11bd9244a5de4', 'sending', '2026-11-27 14:31:25.849276+00', NULL, NULL, NULL, ''),
	(22, NULL, 3, 'lock', NULL, 'card-shop.test', 'ZW-481c5fb39653c33971c7669c', 'not_done', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', NULL, NULL, ''),
	(23, NULL, 5, 'set_registrant', NULL, 'card-shop.test', 'ZW-48146f48929e4e153a9512f6', 'refused', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', NULL, 2304, ''),
	(24, NULL, 6, 'restore', NULL, 'credit-shop.test', 'ZW-30a5e3abe9bd01807b3659d6', 'pending', '2026-11-27 14:31:25.849276+00', NULL, NULL, 1001, ''),
	(25, NULL, 7, 'set_code', NULL, 'credit-shop.test', 'ZW-382ac091afb471e304c73597', 'unknown', '2026-11-27 14:31:25.849276+00', NULL, NULL, NULL, '');


INSERT INTO public.schema_migrations VALUES
	('0001-foundations.sql', 'c36c4434854b00071f318ab2667eb22ebe46cfbf669472c6e288a32be6662290', false, '2026-11-27 14:28:13.511244+00'),
	('0002-zones.sql', 'a0608d2278582f54988db738cf57a3eb2c30fded3e175978acaa767a7e507d48', false, '2026-11-27 14:28:13.797675+00'),
	('0003-publication.sql', 'b41051933a6f3e3edfa31be955869f7c5e72d127683f0a03875666869074367c', false, '2026-11-27 14:28:14.043992+00'),
	('0004-events.sql', '894e68eafe181041fb7cdd59b3473c1ea723546f3194fc734269a1732c935696', false, '2026-11-27 14:28:14.259544+00'),
	('0005-webhooks.sql', '34b9b1ed77a34b389f18c67c3706eb6b66f00d65bca873ba6f7e712b61675102', false, '2026-11-27 14:28:14.348751+00'),
	('0006-mail.sql', '1a613aee5b57cd823b3d3c6bdecfb947cc0c969f5f24569d2646d58d783b4827', false, '2026-11-27 14:28:14.495166+00'),
	('0008-delegation.sql', 'f881d82422eb7b4e64290358f65e239c4994ddf2026bd35ed97c95d238e443c4', false, '2026-11-27 14:28:14.530145+00'),
	('0009-zone-life.sql', '3a823ee62e325cffc4b2f818adf5d1d4e7fb95dcd2f1a41b53190012976071b1', false, '2026-11-27 14:28:14.614625+00'),
	('0010-former-nameservers.sql', '821ea9c5d7536eec3fbdce51bfc65e5285865243cf36cde0857cc54bf5cd94d9', false, '2026-11-27 14:28:14.852349+00'),
	('0011-billing.sql', '817316671e519638e7208198d7a7106deea5dbd8107523343595b0e0abcda365', false, '2026-11-27 14:28:14.90978+00'),
	('0012-contacts.sql', '1222db498409ddb7cfb58f2d819c58c223be44fb3bb5d01ea9e0e7dcc568968e', false, '2026-11-27 14:28:15.027861+00'),
	('0013-orders.sql', '36cce33de4cc71e43575d9312ec5236ef2b58c743afafb462de4cb0787e24863', false, '2026-11-27 14:28:15.081939+00'),
	('0014-domains.sql', '72e9384859500606d44c863e5a3b1074ac687a725520d4d826e09d91d52b0c88', false, '2026-11-27 14:28:15.285299+00'),
	('0015-payments.sql', 'a9f923822bfc00f525d8e83234ac392c22120f21f0b6b74693e3edcfaf732ddd', false, '2026-11-27 14:28:15.463298+00'),
	('0016-sign-up.sql', '3d780797361504db90d2e89d0077503a1b80a9ca93d1914641b9725aaf3f007e', false, '2026-11-27 14:28:15.560731+00'),
	('0017-quotas.sql', '6ed5537260f37811b63db9d5d9e551fca32d1824dd9fb7ff73275ba9b75eddf1', false, '2026-11-27 14:28:15.637804+00'),
	('0019-unpaid-orders.sql', '7c0d851cdd1e2e4e821f08f9de7b796aa25bd287faef730ba4ddf6100d9a4de2', false, '2026-11-27 14:28:15.686762+00'),
	('0020-type-names.sql', '7983810c050c2c6163c95275dfd6758de35777501c9059b5ef6fbb3c22ee777e', true, '2026-11-27 14:28:15.750177+00'),
	('0021-unwritable-rrsets.sql', 'ce52e3b79459e78871fd4a049c87176cdcc1c986f48bcded31f2faeec0607768', false, '2026-11-27 14:28:15.873883+00'),
	('0022-webhook-failures.sql', '64c916a4d899001190201d3d9e2eaecd36a5afe41b455705fa12c61383a20cf3', false, '2026-11-27 14:28:15.967669+00'),
	('0023-webhook-tests.sql', '7451d8a03751eb3e9bdff9f8155fb60fcfd8f6412b9ef92faae2a9441eead229', false, '2026-11-27 14:28:16.026062+00'),
	('0024-key-scopes.sql', '3bff2338ad20aea8bd2d309ff72bd903950c3b6181da17a8684b718a22bec264', false, '2026-11-27 14:28:16.069419+00'),
	('0025-change-sources.sql', '3537d3dcba227c07a6fc0b0eafbe62e25654e91673b2ec744e97dcddaf3f2eaa', false, '2026-11-27 14:28:16.3249+00'),
	('0027-zones-behind.sql', 'c5149f20daddc546ab51e83a06ee2d1d37f9c2e1cffad6a97c65b2b6b9dda6b7', false, '2026-11-27 14:28:16.505872+00'),
	('0028-registry-commands.sql', '5187850d7d685f406028df2cc6810b1371760d92d014c4bd5ff240cc02524e6f', true, '2026-11-27 14:28:16.600366+00'),
	('0029-registry-command-indexes.sql', '71ed8b0e35569cdfcd7daf4d4cc8ceec14aa490f4b5e66ebb78ad8a0d88e25cc', false, '2026-11-27 14:28:16.717807+00');


INSERT INTO public.unwritable_rrsets VALUES
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 'example.test', 'CDS', NULL),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 'example.test', 'DNSKEY', 1);


INSERT INTO public.webhook_attempts_20261127 VALUES
	('2026-11-27', 'dlv_01a21d688d5c99e613ed6bd2c48d0cb1', 1, false, '2026-11-27 14:28:41.252+00', 253, 200, NULL, '{"Content-Type":"application/json","User-Agent":"Service-Webhooks/1 (+http://127.0.0.1:25937)","Service-Event-Id":"evt_01a21d688d5c015add3f5a8e6252d91d","Service-Event-Type":"zone.created","Service-Signature":"t=1795789721,v1=2f0037570903e86fbebf6b6302763e322604eeba2f7439d8786c131a02f09a09","webhook-id":"evt_01a21d688d5c015add3f5a8e6252d91d","webhook-timestamp":"1795789721","webhook-signature":"v1,Xo/l4jqg7uDJCM7A58iSCRM/vJqa+H2MNLhggiZmztY="}', '{"content-type":"text/plain; charset=utf-8","date":"Fri, 27 Nov 2026 14:28:41 GMT","connection":"keep-alive","keep-alive":"timeout=30","transfer-encoding":"chunked"}', 'verified
', NULL, false),
	('2026-11-27', 'dlv_01a21d6a80ea1640b3f2b525f9f4887f', 1, false, '2026-11-27 14:30:49.099+00', 93, 400, 'status', '{"Content-Type":"application/json","User-Agent":"Service-Webhooks/1 (+http://127.0.0.1:25937)","Service-Event-Id":"evt_01a21d6a80eae56ac59510e8c803a2d7","Service-Event-Type":"zone.deleted","Service-Signature":"t=1795789849,v1=43da54d57059575ce05f0ac62b4298a94a0086b452dd04f90a3d312a14aebd19","webhook-id":"evt_01a21d6a80eae56ac59510e8c803a2d7","webhook-timestamp":"1795789849","webhook-signature":"v1,io7r7JkDdZVuSD/9zjfyapp9NdRA0YiJiN4dC31P3ZE="}', '{"content-type":"text/plain; charset=utf-8","date":"Fri, 27 Nov 2026 14:30:49 GMT","connection":"keep-alive","keep-alive":"timeout=30","transfer-encoding":"chunked"}', 'the signature does not match
', 'The receiver answered with status 400 (Bad Request).', false);


INSERT INTO public.webhook_deliveries_20261127 VALUES
	('2026-11-27', 'dlv_01a21d688d5c99e613ed6bd2c48d0cb1', 'whe_01a21d68863f32a45fcdfc0f01302f92', 'evt_01a21d688d5c015add3f5a8e6252d91d', 'zone.created', 1, 'succeeded', 200, 1, 1, '2026-11-27 14:28:41.130489+00', '2026-11-27 14:28:41.660818+00', NULL, NULL, false),
	('2026-11-27', 'dlv_01a21d6a65e7c10a407193e9a6ad8807', 'whe_01a21d68863f32a45fcdfc0f01302f92', 'evt_01a21d6a65e7cca10c8e75e01fd0a1c4', 'zone.records_changed', 6, 'succeeded', 200, 1, 1, '2026-11-27 14:30:42.567123+00', '2026-11-27 14:30:44.059132+00', NULL, NULL, false),
	('2026-11-27', 'dlv_01a21d6a80ea1640b3f2b525f9f4887f', 'whe_01a21d6a5da3ebada1e536bffd5105c1', 'evt_01a21d6a80eae56ac59510e8c803a2d7', 'zone.deleted', 12, 'pending', 400, 1, 1, '2026-11-27 14:30:49.00446+00', NULL, 'status', 'The receiver answered with status 400 (Bad Request).', false),
	('2026-11-27', 'dlv_01a21d6a80ea99c0abd3b797cc7ddb53', 'whe_01a21d68863f32a45fcdfc0f01302f92', 'evt_01a21d6a80eae56ac59510e8c803a2d7', 'zone.deleted', 12, 'succeeded', 200, 1, 1, '2026-11-27 14:30:49.00446+00', '2026-11-27 14:30:49.661169+00', NULL, NULL, false),
	('2026-11-27', 'dlv_01a21d6aac6c17007fbb1380c72b320b', 'whe_01a21d68863f32a45fcdfc0f01302f92', 'evt_01a21d6aac6cb6ac137f01f819d50a33', 'order.paid', 15, 'succeeded', 200, 1, 1, '2026-11-27 14:31:00.809919+00', '2026-11-27 14:31:01.157943+00', NULL, NULL, false),
	('2026-11-27', 'dlv_01a21d6ab05b4cb99ee36b4928e75a63', 'whe_01a21d68863f32a45fcdfc0f01302f92', 'evt_01a21d6ab05b4da7be564e3be083b33d', 'order.completed', 16, 'succeeded', 200, 1, 1, '2026-11-27 14:31:01.138376+00', '2026-11-27 14:31:01.333299+00', NULL, NULL, false),
	('2026-11-27', 'dlv_01a21d6ab6eb051d64bc2c3f74fe9577', 'whe_01a21d68863f32a45fcdfc0f01302f92', 'evt_01a21d6ab6ebe9147c01741dd2c42be7', 'zone.delegation_changed', 20, 'succeeded', 200, 1, 1, '2026-11-27 14:31:03.00069+00', '2026-11-27 14:31:03.591678+00', NULL, NULL, false),
	('2026-11-27', 'dlv_01a21d6ac3b37bb4c83b96e36321e3d2', 'whe_01a21d68863f32a45fcdfc0f01302f92', 'evt_01a21d6ac3b3f7cc365671a3e884ba2e', 'order.failed', 24, 'succeeded', 200, 1, 1, '2026-11-27 14:31:05.967723+00', '2026-11-27 14:31:06.092894+00', NULL, NULL, false),
	('2026-11-27', 'dlv_01a21d6adc4b2a15312bcba20ac009fa', 'whe_01a21d68863f32a45fcdfc0f01302f92', 'evt_01a21d6adc4b277c97959d17ef5ce36f', 'order.refunded', 25, 'succeeded', 200, 1, 1, '2026-11-27 14:31:12.300322+00', '2026-11-27 14:31:12.458854+00', NULL, NULL, false),
	('2026-11-27', 'dlv_01a21d6afaaaa274003f226510e6fd89', 'whe_01a21d68863f32a45fcdfc0f01302f92', 'evt_01a21d6afaaa749752f09cf2d59ede79', 'order.credited', 28, 'succeeded', 200, 1, 1, '2026-11-27 14:31:20.044795+00', '2026-11-27 14:31:20.165602+00', NULL, NULL, false),
	('2026-11-27', 'dlv_01a21d6aaad67644352397c936c07b52', 'whe_01a21d68863f32a45fcdfc0f01302f92', 'evt_01a21d6aaad6d96b3091ac32dc27359e', 'order.paid', 14, 'failed', 500, 1, 1, '2026-11-27 14:30:59.763649+00', '2026-11-27 14:31:25.849276+00', 'status', NULL, false),
	('2026-11-27', 'dlv_01a21d6ab95fdf43fd15e3a52113420f', 'whe_01a21d68863f32a45fcdfc0f01302f92', 'evt_01a21d6ab95fc3e7f5ce7c7c36a377ae', 'order.cancelled', 22, 'skipped', NULL, 1, 1, '2026-11-27 14:31:03.415197+00', '2026-11-27 14:31:25.849276+00', NULL, NULL, false);


INSERT INTO public.webhook_endpoints VALUES
	('whe_01a21d68863f32a45fcdfc0f01302f92', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'https://127.0.0.1:19496/hooks/demo', NULL, 'The sandbox receiver', '{"\\x017ae6b87960e971691f127c402f2a288bf3b90417b55370ed50620dbb356541dc0b4da56bc2957dbcea5c9735179040113be3e89f93a4e42dd21e4d8386e2b9a20b661ecd374607b0cba8"}', '{NULL}', 'enabled', NULL, NULL, '2026-11-27 14:28:39.106233+00'),
	('whe_01a21d6a5da3ebada1e536bffd5105c1', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'https://127.0.0.1:19496/hooks/demo?fails', '{zone.deleted}', '', '{"\\x014173352045022cb7b048056d11cc83e6f4c5423ea37cc921107fd223e7d6d43eabc4d7d522f81ef0987289d8d64f13a3480fb07546606b57f68074b06f16c40738107b5fcac85e9d862d"}', '{NULL}', 'enabled', NULL, NULL, '2026-11-27 14:30:39.779856+00'),
	('whe_01a21d6b11999eca8ae68efd70ff8213', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'https://127.0.0.1:19496/hooks/demo', NULL, 'turned off', '{"\\x017ae6b87960e971691f127c402f2a288bf3b90417b55370ed50620dbb356541dc0b4da56bc2957dbcea5c9735179040113be3e89f93a4e42dd21e4d8386e2b9a20b661ecd374607b0cba8"}', '{NULL}', 'disabled', '2026-11-27 14:31:25.849276+00', 'failing', '2026-11-27 14:31:25.849276+00');


INSERT INTO public.webhook_lanes VALUES
	('whe_01a21d6a5da3ebada1e536bffd5105c1', '2026-11-27 14:31:49.52896+00', NULL, 12, true, '2026-11-27 14:30:49.391+00', 'evt_01a21d6a80eae56ac59510e8c803a2d7', NULL, NULL),
	('whe_01a21d68863f32a45fcdfc0f01302f92', NULL, NULL, 30, false, NULL, NULL, NULL, NULL);


INSERT INTO public.webhook_queue VALUES
	('whe_01a21d6a5da3ebada1e536bffd5105c1', 12, '2026-11-27', 'dlv_01a21d6a80ea1640b3f2b525f9f4887f', 'evt_01a21d6a80eae56ac59510e8c803a2d7', 'zone.deleted', 1, '2026-11-27 14:31:49.52896+00', false, NULL, false);


INSERT INTO public.zone_changes VALUES
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 1, 1795789840, '2026-11-27 14:30:40.199+00', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 1, '[{"name":"example.test","type":"A","before":null,"after":{"ttl":60,"records":["192.0.2.1"]}}]', 'api'),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 2, 1795789841, '2026-11-27 14:30:40.664+00', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 1, '[{"name":"txt.example.test","type":"TXT","before":null,"after":{"ttl":60,"records":["\"it works\" \"b\\195\\188cher\""]}}]', 'api'),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 3, 1795789842, '2026-11-27 14:30:42.064+00', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 1, '[{"name":"ftp.example.test","type":"A","before":null,"after":{"ttl":300,"records":["192.0.2.9"]}}]', 'import'),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 4, 1795789843, '2026-11-27 14:30:42.834+00', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 4, '[{"name":"example.test","type":"MX","before":null,"after":{"ttl":3600,"records":["0 ."]}},{"name":"example.test","type":"TXT","before":null,"after":{"ttl":3600,"records":["\"v=spf1 -all\""]}},{"name":"*._domainkey.example.test","type":"TXT","before":null,"after":{"ttl":3600,"records":["\"v=DKIM1; p=\""]}},{"name":"_dmarc.example.test","type":"TXT","before":null,"after":{"ttl":3600,"records":["\"v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s\""]}}]', 'preset'),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 5, 1795789844, '2026-11-27 14:30:43.613+00', 'key', 'demo', 'key_01a21d68624f42025b83f5e32643dc43', 4, '[{"name":"*._domainkey.example.test","type":"TXT","before":{"ttl":3600,"records":["\"v=DKIM1; p=\""]},"after":null},{"name":"_dmarc.example.test","type":"TXT","before":{"ttl":3600,"records":["\"v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s\""]},"after":null},{"name":"example.test","type":"MX","before":{"ttl":3600,"records":["0 ."]},"after":null},{"name":"example.test","type":"TXT","before":{"ttl":3600,"records":["\"v=spf1 -all\""]},"after":null}]', 'restore'),
	('2d4bbf4f-101f-4945-9ced-e85e7cb09e71', 1, 1795789845, '2026-11-27 14:30:45.719+00', 'system', 'free subdomains', NULL, 1, '[{"name":"petals.free.example.net","type":"NS","before":null,"after":{"ttl":3600,"records":["ns1.zonewright.test.","ns2.zonewright.test."],"managed":true}}]', 'system');


INSERT INTO public.zone_contests VALUES
	('1b8d1d5e-298d-47c6-aac4-354b490738fa', 'b6dbc908-bc66-4d97-862e-8ed498360e3d', '2026-11-27 14:31:25.849276+00', '2026-11-30 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00');


INSERT INTO public.zone_delegations VALUES
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 'waiting', '2026-11-27 14:28:29.754465+00', NULL, NULL, '{}', '{}', NULL, NULL, NULL, '2026-11-27 14:28:38.588857+00', '2026-11-27 14:28:38.588857+00', '2026-11-27 14:33:57.135055+00', 1),
	('2d4bbf4f-101f-4945-9ced-e85e7cb09e71', 'waiting', '2026-11-27 14:30:31.738676+00', NULL, NULL, '{}', '{}', NULL, NULL, 'no_parent', NULL, '2026-11-27 14:30:33.658489+00', '2026-11-27 14:35:59.650873+00', 1),
	('d2a65c18-5701-41bd-99ae-a061c4b2ffd8', 'waiting', '2026-11-27 14:30:44.384907+00', NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, 0),
	('64713544-fe0a-451d-92b1-703f850e9847', 'waiting', '2026-11-27 14:29:48.168855+00', NULL, NULL, '{}', '{}', NULL, NULL, 'no_parent', NULL, '2026-11-27 14:29:50.401205+00', NULL, 1),
	('da438391-c77b-47e1-8b1b-ecdb3633480c', 'waiting', '2026-11-27 14:30:45.447863+00', NULL, NULL, '{}', '{}', NULL, NULL, 'no_parent', NULL, '2026-11-27 14:30:48.728725+00', '2026-11-27 14:35:48.922455+00', 1),
	('5e2191ea-6e61-4206-bb0f-baf2b6178b08', 'live', '2026-11-27 14:31:02.634641+00', NULL, NULL, '{ns1.zonewright.test,ns2.zonewright.test}', '{ns1.zonewright.test,ns2.zonewright.test}', '2027-11-27 14:31:00.302+00', '2026-11-27 14:31:02.634641+00', NULL, '2026-11-27 14:31:02.634641+00', '2026-11-27 14:31:02.634641+00', '2026-11-27 20:31:26.984108+00', 1),
	('4982c7f3-6137-492d-ae1d-b2cc8be49897', 'live', '2026-11-27 14:31:02.929397+00', 'lost', '2026-11-27 14:31:23.903512+00', '{ns1.example.net,ns2.example.net}', '{ns1.zonewright.test,ns2.zonewright.test}', '2027-11-27 14:31:00.987+00', '2026-11-27 14:31:02.929397+00', NULL, '2026-11-27 14:31:23.903512+00', '2026-11-27 14:31:23.903512+00', '2026-11-27 14:32:25.056779+00', 3),
	('b6dbc908-bc66-4d97-862e-8ed498360e3d', 'waiting', '2026-11-27 14:31:25.849276+00', NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, 0),
	('cb3f2533-9138-4a74-9192-a4ed53052b6a', 'waiting', '2026-11-27 14:31:25.849276+00', NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, 0),
	('1b8d1d5e-298d-47c6-aac4-354b490738fa', 'lost', '2026-11-27 14:29:47.235233+00', 'missing', '2026-11-27 14:31:25.849276+00', '{}', '{}', NULL, NULL, 'no_parent', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:29:50.401205+00', '2026-11-27 14:35:10.726395+00', 1),
	('c7e36a0b-31e6-44a4-8ae0-89d6a7d88317', 'partial', '2026-11-27 14:29:47.42986+00', NULL, NULL, '{}', '{}', NULL, NULL, 'no_parent', NULL, '2026-11-27 14:29:50.401205+00', '2026-11-27 14:35:07.162807+00', 1),
	('f38e8218-486b-4d12-9f9a-ba4a47e77d99', 'missing', '2026-11-27 14:31:25.849276+00', NULL, NULL, '{}', '{}', NULL, NULL, 'timeout', NULL, NULL, '2026-11-27 14:31:25.849276+00', 0);


INSERT INTO public.zone_invitations VALUES
	('inv_01a21d6a830423a1c9ab747675e05cee', '1b8d1d5e-298d-47c6-aac4-354b490738fa', 'invited@example.net', 'demo@zonewright.test', '2026-11-27 14:30:49.363385+00', '2026-12-11 14:30:49.363385+00');


INSERT INTO public.zone_journal VALUES
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 1795789709, 1795789840, '[]', '[{"name":"example.test","type":"A","ttl":60,"records":["192.0.2.1"]}]', 40, '2026-11-27 14:30:40.38362+00'),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 1795789840, 1795789841, '[]', '[{"name":"txt.example.test","type":"TXT","ttl":60,"records":["\"it works\" \"b\\195\\188cher\""]}]', 55, '2026-11-27 14:30:40.9121+00'),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 1795789841, 1795789842, '[]', '[{"name":"ftp.example.test","type":"A","ttl":300,"records":["192.0.2.9"]}]', 44, '2026-11-27 14:30:42.30745+00'),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 1795789842, 1795789843, '[]', '[{"name":"example.test","type":"MX","ttl":3600,"records":["0 ."]},{"name":"example.test","type":"TXT","ttl":3600,"records":["\"v=spf1 -all\""]},{"name":"*._domainkey.example.test","type":"TXT","ttl":3600,"records":["\"v=DKIM1; p=\""]},{"name":"_dmarc.example.test","type":"TXT","ttl":3600,"records":["\"v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s\""]}]', 213, '2026-11-27 14:30:43.075643+00'),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 1795789843, 1795789844, '[{"name":"*._domainkey.example.test","type":"TXT","ttl":3600,"records":["\"v=DKIM1; p=\""]},{"name":"_dmarc.example.test","type":"TXT","ttl":3600,"records":["\"v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s\""]},{"name":"example.test","type":"MX","ttl":3600,"records":["0 ."]},{"name":"example.test","type":"TXT","ttl":3600,"records":["\"v=spf1 -all\""]}]', '[]', 213, '2026-11-27 14:30:43.80871+00'),
	('2d4bbf4f-101f-4945-9ced-e85e7cb09e71', 1795789831, 1795789845, '[]', '[{"name":"petals.free.example.net","type":"NS","ttl":3600,"records":["ns1.zonewright.test.","ns2.zonewright.test."]}]', 89, '2026-11-27 14:30:45.859432+00');


INSERT INTO public.zone_managers VALUES
	('1b8d1d5e-298d-47c6-aac4-354b490738fa', '2651d447-e66e-4dd8-9632-acba6785758d', '2026-11-27 14:31:25.849276+00');


INSERT INTO public.zone_moves OVERRIDING SYSTEM VALUE VALUES
	(10, 'cb3f2533-9138-4a74-9192-a4ed53052b6a', 'lost.example', 'z_01a21d6b1199c907d78a7063471860f0', false),
	(11, 'f38e8218-486b-4d12-9f9a-ba4a47e77d99', 'proved.example', 'z_01a21d6b11990fdc91085b60a914f48a', true);


INSERT INTO public.zone_rrsets VALUES
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 'example.test', 'A', 60, '{192.0.2.1}', false, '2026-11-27 14:30:40.199+00'),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 'txt.example.test', 'TXT', 60, '{"\"it works\" \"b\\195\\188cher\""}', false, '2026-11-27 14:30:40.664+00'),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 'ftp.example.test', 'A', 300, '{192.0.2.9}', false, '2026-11-27 14:30:42.064+00'),
	('2d4bbf4f-101f-4945-9ced-e85e7cb09e71', 'petals.free.example.net', 'NS', 3600, '{ns1.zonewright.test.,ns2.zonewright.test.}', true, '2026-11-27 14:30:45.719+00');


INSERT INTO public.zone_serials VALUES
	('erased.example', 41);


INSERT INTO public.zone_sightings VALUES
	('c7e36a0b-31e6-44a4-8ae0-89d6a7d88317', 'ns2.zonewright.test', 1795789787, '2026-11-27 14:29:50.088454+00'),
	('1b8d1d5e-298d-47c6-aac4-354b490738fa', 'ns1.zonewright.test', 1795789787, '2026-11-27 14:29:50.285034+00'),
	('1b8d1d5e-298d-47c6-aac4-354b490738fa', 'ns2.zonewright.test', 1795789787, '2026-11-27 14:29:50.285034+00'),
	('c7e36a0b-31e6-44a4-8ae0-89d6a7d88317', 'ns1.zonewright.test', 1795789787, '2026-11-27 14:29:50.285034+00'),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 'ns1.zonewright.test', 1795789844, '2026-11-27 14:30:44.901261+00'),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 'ns2.zonewright.test', 1795789844, '2026-11-27 14:30:44.901261+00'),
	('2d4bbf4f-101f-4945-9ced-e85e7cb09e71', 'ns1.zonewright.test', 1795789845, '2026-11-27 14:30:48.250779+00'),
	('2d4bbf4f-101f-4945-9ced-e85e7cb09e71', 'ns2.zonewright.test', 1795789845, '2026-11-27 14:30:48.347618+00'),
	('da438391-c77b-47e1-8b1b-ecdb3633480c', 'ns1.zonewright.test', 1795789845, '2026-11-27 14:30:48.925931+00'),
	('da438391-c77b-47e1-8b1b-ecdb3633480c', 'ns2.zonewright.test', 1795789845, '2026-11-27 14:30:49.098371+00'),
	('5e2191ea-6e61-4206-bb0f-baf2b6178b08', 'ns2.zonewright.test', 1795789860, '2026-11-27 14:31:01.634053+00'),
	('5e2191ea-6e61-4206-bb0f-baf2b6178b08', 'ns1.zonewright.test', 1795789860, '2026-11-27 14:31:01.702128+00'),
	('4982c7f3-6137-492d-ae1d-b2cc8be49897', 'ns1.zonewright.test', 1795789861, '2026-11-27 14:31:02.320833+00'),
	('4982c7f3-6137-492d-ae1d-b2cc8be49897', 'ns2.zonewright.test', 1795789861, '2026-11-27 14:31:02.320833+00');


INSERT INTO public.zone_verifications VALUES
	('d2a65c18-5701-41bd-99ae-a061c4b2ffd8', '3c259fa89f939e4b1a581180be0b8df0', '2026-11-27 14:30:44.446172+00', '2026-11-27 14:31:44.446172+00', 0, NULL, NULL),
	('b6dbc908-bc66-4d97-862e-8ed498360e3d', 'zonewright-verification-8e2c8d66179cd851a5c323c829157574', '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', 2, '2026-11-27 14:31:25.849276+00', 'absent'),
	('c7e36a0b-31e6-44a4-8ae0-89d6a7d88317', 'zonewright-verification-ba8cc115421db20c278d52df8c782ad6', '2026-11-27 14:31:25.849276+00', NULL, 5, '2026-11-27 14:31:25.849276+00', 'unknown'),
	('f38e8218-486b-4d12-9f9a-ba4a47e77d99', 'zonewright-verification-66ab062f3615a2885c5f94bd0c4fb087', '2026-11-27 14:31:25.849276+00', NULL, 5, '2026-11-27 14:31:25.849276+00', 'refused');


INSERT INTO public.zones VALUES
	('1b8d1d5e-298d-47c6-aac4-354b490738fa', 'shared.example', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'live', 'added', 0, 1795789787, 0, 0, '851d473a86162497266a', NULL, true, 10000, '2026-11-27 14:29:47.235233+00', '2026-11-27 14:29:47.235233+00', NULL, NULL),
	('c7e36a0b-31e6-44a4-8ae0-89d6a7d88317', 'released.example', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'live', 'added', 0, 1795789787, 0, 0, '3ec4c378954e85851b9c', NULL, true, 10000, '2026-11-27 14:29:47.42986+00', '2026-11-27 14:29:47.42986+00', NULL, NULL),
	('d2a65c18-5701-41bd-99ae-a061c4b2ffd8', 'pending-zone.test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'pending', 'added', 0, 1795789844, 0, 0, '560bf187f0807d6ab0de', NULL, false, 10000, '2026-11-27 14:30:44.384907+00', NULL, NULL, NULL),
	('da438391-c77b-47e1-8b1b-ecdb3633480c', 'petals.free.example.net', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'live', 'claimed', 0, 1795789845, 0, 0, 'f3ffdd5a390b04e5a287', '2d4bbf4f-101f-4945-9ced-e85e7cb09e71', false, 10000, '2026-11-27 14:30:45.447863+00', '2026-11-27 14:30:45.447863+00', NULL, NULL),
	('64713544-fe0a-451d-92b1-703f850e9847', 'deleted.example', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'deleted', 'added', 0, 1795789787, 0, 0, '31d1fd2346bc040c51ba', NULL, true, 10000, '2026-11-27 14:29:48.168855+00', '2026-11-27 14:29:48.168855+00', '2026-11-27 14:30:48.372575+00', NULL),
	('2d4bbf4f-101f-4945-9ced-e85e7cb09e71', 'free.example.net', 'de74bafa-5529-4ccd-8484-c5aac7efe120', 'live', 'added', 1, 1795789845, 1, 89, '385f01ac42ca2bbe1182', NULL, true, NULL, '2026-11-27 14:30:31.738676+00', '2026-11-27 14:30:31.738676+00', NULL, NULL),
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 'example.test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'live', 'added', 5, 1795789844, 3, 139, 'b71bfe6554456acd40f7', NULL, true, 10000, '2026-11-27 14:28:29.754465+00', '2026-11-27 14:28:29.754465+00', NULL, NULL),
	('5e2191ea-6e61-4206-bb0f-baf2b6178b08', 'card-shop.test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'live', 'bought', 0, 1795789860, 0, 0, 'ed6855513aa823d43917', NULL, false, 10000, '2026-11-27 14:31:00.935807+00', '2026-11-27 14:31:00.935807+00', NULL, NULL),
	('4982c7f3-6137-492d-ae1d-b2cc8be49897', 'credit-shop.test', 'd4d07b5e-8aa1-4277-94ec-84c5cd944ab4', 'live', 'bought', 0, 1795789861, 0, 0, '34dfdbaf0e8dd2c9c74c', NULL, false, 10000, '2026-11-27 14:31:01.310828+00', '2026-11-27 14:31:01.310828+00', NULL, NULL),
	('b6dbc908-bc66-4d97-862e-8ed498360e3d', 'shared.example', '2651d447-e66e-4dd8-9632-acba6785758d', 'pending', 'added', 0, 1, 0, 0, 'z_01a21d6b1199cfd28e0b02eaec926388', NULL, false, 10000, '2026-11-27 14:31:25.849276+00', NULL, NULL, NULL),
	('cb3f2533-9138-4a74-9192-a4ed53052b6a', 'lost.example', 'de74bafa-5529-4ccd-8484-c5aac7efe120', 'deleted', 'added', 0, 7, 0, 0, 'z_01a21d6b1199c907d78a7063471860f0', NULL, false, NULL, '2026-11-27 14:31:25.849276+00', NULL, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00'),
	('f38e8218-486b-4d12-9f9a-ba4a47e77d99', 'proved.example', 'de74bafa-5529-4ccd-8484-c5aac7efe120', 'live', 'verified', 0, 4294967295, 0, 0, 'z_01a21d6b11990fdc91085b60a914f48a', NULL, false, 10000, '2026-11-27 14:31:25.849276+00', '2026-11-27 14:31:25.849276+00', NULL, NULL);


INSERT INTO public.zones_behind VALUES
	('4ce501bf-912e-47ee-a807-379a1d1c7285', 'ns1.zonewright.test', 1795789844, '2026-11-27 14:31:25.849276+00');


SELECT pg_catalog.setval('public.audit_log_id_seq', 58, true);


SELECT pg_catalog.setval('public.domain_acts_id_seq', 9, true);


SELECT pg_catalog.setval('public.domains_id_seq', 4, true);


SELECT pg_catalog.setval('public.event_outbox_seq_seq', 33, true);


SELECT pg_catalog.setval('public.event_positions', 30, true);


SELECT pg_catalog.setval('public.ledger_entries_id_seq', 19, true);


SELECT pg_catalog.setval('public.registry_commands_id_seq', 25, true);


SELECT pg_catalog.setval('public.zone_moves_id_seq', 11, true);


ALTER TABLE ONLY pgboss.bam
    ADD CONSTRAINT bam_pkey PRIMARY KEY (id);


ALTER TABLE ONLY pgboss.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (name, id);


ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT job_common_pkey PRIMARY KEY (name, id);


ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (name);


ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (name, key);


ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (event, name);


ALTER TABLE ONLY pgboss.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (version);


ALTER TABLE ONLY pgboss.warning
    ADD CONSTRAINT warning_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.account_change_bytes
    ADD CONSTRAINT account_change_bytes_pkey PRIMARY KEY (account_id);


ALTER TABLE ONLY public.account_credentials
    ADD CONSTRAINT account_credentials_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.account_devices
    ADD CONSTRAINT account_devices_pkey PRIMARY KEY (account_id, device_sha256);


ALTER TABLE ONLY public.account_guesses
    ADD CONSTRAINT account_guesses_pkey PRIMARY KEY (subject, kind, source);


ALTER TABLE ONLY public.account_sessions
    ADD CONSTRAINT account_sessions_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.account_sessions
    ADD CONSTRAINT account_sessions_token_key UNIQUE (token);


ALTER TABLE ONLY public.account_sign_ups
    ADD CONSTRAINT account_sign_ups_pkey PRIMARY KEY (token_sha256);


ALTER TABLE ONLY public.account_tries
    ADD CONSTRAINT account_tries_pkey PRIMARY KEY (kind, subject);


ALTER TABLE ONLY public.account_two_factors
    ADD CONSTRAINT account_two_factors_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.account_used_codes
    ADD CONSTRAINT account_used_codes_pkey PRIMARY KEY (account_id, step);


ALTER TABLE ONLY public.account_verifications
    ADD CONSTRAINT account_verifications_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_email_key UNIQUE (email);


ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.api_key_domains
    ADD CONSTRAINT api_key_domains_pkey PRIMARY KEY (key_id, domain_id);


ALTER TABLE ONLY public.api_key_windows
    ADD CONSTRAINT api_key_windows_pkey PRIMARY KEY (key_id);


ALTER TABLE ONLY public.api_key_zones
    ADD CONSTRAINT api_key_zones_pkey PRIMARY KEY (key_id, zone_id);


ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_secret_sha256_key UNIQUE (secret_sha256);


ALTER TABLE ONLY public.catalog_journal
    ADD CONSTRAINT catalog_journal_pkey PRIMARY KEY (to_serial);


ALTER TABLE ONLY public.catalog_members
    ADD CONSTRAINT catalog_members_label_key UNIQUE (label);


ALTER TABLE ONLY public.catalog_members
    ADD CONSTRAINT catalog_members_pkey PRIMARY KEY (zone_name);


ALTER TABLE ONLY public.catalog
    ADD CONSTRAINT catalog_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.credit_holds
    ADD CONSTRAINT credit_holds_pkey PRIMARY KEY (order_id);


ALTER TABLE ONLY public.domain_acts
    ADD CONSTRAINT domain_acts_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.domain_invitations
    ADD CONSTRAINT domain_invitations_domain_id_email_key UNIQUE (domain_id, email);


ALTER TABLE ONLY public.domain_invitations
    ADD CONSTRAINT domain_invitations_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.domain_managers
    ADD CONSTRAINT domain_managers_pkey PRIMARY KEY (domain_id, account_id);


ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.event_outbox
    ADD CONSTRAINT event_outbox_pkey PRIMARY KEY (seq);


ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (event_day, id);


ALTER TABLE ONLY public.events_20261127
    ADD CONSTRAINT events_20261127_pkey PRIMARY KEY (event_day, id);


ALTER TABLE ONLY public.former_cuts
    ADD CONSTRAINT former_cuts_pkey PRIMARY KEY (zone_id, name);


ALTER TABLE ONLY public.former_nameservers
    ADD CONSTRAINT former_nameservers_pkey PRIMARY KEY (zone_id);


ALTER TABLE ONLY public.free_subdomains
    ADD CONSTRAINT free_subdomains_pkey PRIMARY KEY (name);


ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (caller, key);


ALTER TABLE ONLY public.invitation_hours
    ADD CONSTRAINT invitation_hours_pkey PRIMARY KEY (account_id, hour);


ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_once_key UNIQUE (once);


ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.nameservers
    ADD CONSTRAINT nameservers_pkey PRIMARY KEY (name);


ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.pay_links
    ADD CONSTRAINT pay_links_pkey PRIMARY KEY (order_id);


ALTER TABLE ONLY public.pay_links
    ADD CONSTRAINT pay_links_token_sha256_key UNIQUE (token_sha256);


ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_reference_key UNIQUE (reference);


ALTER TABLE ONLY public.promo_codes
    ADD CONSTRAINT promo_codes_pkey PRIMARY KEY (code);


ALTER TABLE ONLY public.promo_uses
    ADD CONSTRAINT promo_uses_pkey PRIMARY KEY (order_id);


ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.registry_commands
    ADD CONSTRAINT registry_commands_cl_trid_key UNIQUE (cl_trid);


ALTER TABLE ONLY public.registry_commands
    ADD CONSTRAINT registry_commands_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);


ALTER TABLE ONLY public.unwritable_rrsets
    ADD CONSTRAINT unwritable_rrsets_pkey PRIMARY KEY (zone_id, name, type);


ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (event_day, delivery_id, number);


ALTER TABLE ONLY public.webhook_attempts_20261127
    ADD CONSTRAINT webhook_attempts_20261127_pkey PRIMARY KEY (event_day, delivery_id, number);


ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_id_event_id_event_day_key UNIQUE (endpoint_id, event_id, event_day);


ALTER TABLE ONLY public.webhook_deliveries_20261127
    ADD CONSTRAINT webhook_deliveries_20261127_endpoint_id_event_id_event_day_key UNIQUE (endpoint_id, event_id, event_day);


ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (event_day, id);


ALTER TABLE ONLY public.webhook_deliveries_20261127
    ADD CONSTRAINT webhook_deliveries_20261127_pkey PRIMARY KEY (event_day, id);


ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.webhook_lanes
    ADD CONSTRAINT webhook_lanes_pkey PRIMARY KEY (endpoint_id);


ALTER TABLE ONLY public.webhook_queue
    ADD CONSTRAINT webhook_queue_pkey PRIMARY KEY (endpoint_id, "position");


ALTER TABLE ONLY public.zone_changes
    ADD CONSTRAINT zone_changes_pkey PRIMARY KEY (zone_id, version);


ALTER TABLE ONLY public.zone_contests
    ADD CONSTRAINT zone_contests_pkey PRIMARY KEY (live_zone_id);


ALTER TABLE ONLY public.zone_contests
    ADD CONSTRAINT zone_contests_zone_id_key UNIQUE (zone_id);


ALTER TABLE ONLY public.zone_delegations
    ADD CONSTRAINT zone_delegations_pkey PRIMARY KEY (zone_id);


ALTER TABLE ONLY public.zone_invitations
    ADD CONSTRAINT zone_invitations_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.zone_invitations
    ADD CONSTRAINT zone_invitations_zone_id_email_key UNIQUE (zone_id, email);


ALTER TABLE ONLY public.zone_journal
    ADD CONSTRAINT zone_journal_pkey PRIMARY KEY (zone_id, to_serial);


ALTER TABLE ONLY public.zone_managers
    ADD CONSTRAINT zone_managers_pkey PRIMARY KEY (zone_id, account_id);


ALTER TABLE ONLY public.zone_moves
    ADD CONSTRAINT zone_moves_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.zone_rrsets
    ADD CONSTRAINT zone_rrsets_pkey PRIMARY KEY (zone_id, name, type);


ALTER TABLE ONLY public.zone_serials
    ADD CONSTRAINT zone_serials_pkey PRIMARY KEY (name);


ALTER TABLE ONLY public.zone_sightings
    ADD CONSTRAINT zone_sightings_pkey PRIMARY KEY (zone_id, nameserver);


ALTER TABLE ONLY public.zone_verifications
    ADD CONSTRAINT zone_verifications_pkey PRIMARY KEY (zone_id);


ALTER TABLE ONLY public.zone_verifications
    ADD CONSTRAINT zone_verifications_token_key UNIQUE (token);


ALTER TABLE ONLY public.zones_behind
    ADD CONSTRAINT zones_behind_pkey PRIMARY KEY (zone_id, nameserver);


ALTER TABLE ONLY public.zones
    ADD CONSTRAINT zones_pkey PRIMARY KEY (id);


CREATE UNIQUE INDEX job_common_i1 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'created'::pgboss.job_state) AND (policy = 'short'::text));


CREATE UNIQUE INDEX job_common_i2 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'active'::pgboss.job_state) AND (policy = 'singleton'::text));


CREATE UNIQUE INDEX job_common_i3 ON pgboss.job_common USING btree (name, state, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'stately'::text));


CREATE UNIQUE INDEX job_common_i4 ON pgboss.job_common USING btree (name, singleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::pgboss.job_state) AND (singleton_on IS NOT NULL));


CREATE INDEX job_common_i5 ON pgboss.job_common USING btree (name, start_after) INCLUDE (priority, created_on, id) WHERE (state < 'active'::pgboss.job_state);


CREATE UNIQUE INDEX job_common_i6 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'exclusive'::text));


CREATE INDEX job_common_i7 ON pgboss.job_common USING btree (name, group_id) WHERE ((state = 'active'::pgboss.job_state) AND (group_id IS NOT NULL));


CREATE UNIQUE INDEX job_common_i8 ON pgboss.job_common USING btree (name, singleton_key) WHERE ((state = ANY (ARRAY['active'::pgboss.job_state, 'retry'::pgboss.job_state, 'failed'::pgboss.job_state])) AND (policy = 'key_strict_fifo'::text));


CREATE INDEX warning_i1 ON pgboss.warning USING btree (created_on DESC);


CREATE INDEX account_credentials_user ON public.account_credentials USING btree (user_id);


CREATE INDEX account_devices_age ON public.account_devices USING btree (expires_at);


CREATE INDEX account_guesses_age ON public.account_guesses USING btree (last_at);


CREATE INDEX account_guesses_source ON public.account_guesses USING btree (source, kind) WHERE (subject = ''::text);


CREATE INDEX account_sessions_account ON public.account_sessions USING btree (account_id);


CREATE INDEX account_sign_ups_age ON public.account_sign_ups USING btree (expires_at);


CREATE INDEX account_sign_ups_email ON public.account_sign_ups USING btree (email);


CREATE INDEX account_tries_age ON public.account_tries USING btree (began_at);


CREATE UNIQUE INDEX account_two_factors_account ON public.account_two_factors USING btree (account_id);


CREATE INDEX account_verifications_age ON public.account_verifications USING btree (expires_at);


CREATE INDEX account_verifications_identifier ON public.account_verifications USING btree (identifier);


CREATE INDEX accounts_held ON public.accounts USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));


CREATE INDEX api_key_domains_domain ON public.api_key_domains USING btree (domain_id);


CREATE INDEX api_key_zones_zone ON public.api_key_zones USING btree (zone_id);


CREATE INDEX api_keys_account ON public.api_keys USING btree (account_id, created_at);


CREATE INDEX audit_log_account ON ONLY public.audit_log USING btree (account_id, at DESC);


CREATE INDEX audit_log_20261101_account_id_at_idx ON public.audit_log_20261101 USING btree (account_id, at DESC);


CREATE INDEX audit_log_zone ON ONLY public.audit_log USING btree (zone_id, at DESC) WHERE (zone_id IS NOT NULL);


CREATE INDEX audit_log_20261101_zone_id_at_idx ON public.audit_log_20261101 USING btree (zone_id, at DESC) WHERE (zone_id IS NOT NULL);


CREATE INDEX contacts_account ON public.contacts USING btree (account_id, id);


CREATE INDEX credit_holds_account ON public.credit_holds USING btree (account_id);


CREATE INDEX domain_acts_due ON public.domain_acts USING btree (due_at) WHERE (state = 'open'::text);


CREATE UNIQUE INDEX domain_acts_open ON public.domain_acts USING btree (domain_id) WHERE (state = 'open'::text);


CREATE INDEX domain_invitations_email ON public.domain_invitations USING btree (email);


CREATE INDEX domain_managers_account ON public.domain_managers USING btree (account_id);


CREATE INDEX domains_account ON public.domains USING btree (account_id, name) WHERE (state <> 'gone'::text);


CREATE INDEX domains_expiry ON public.domains USING btree (expires_at) WHERE (state = 'held'::text);


CREATE UNIQUE INDEX domains_name ON public.domains USING btree (name) WHERE (state <> 'gone'::text);


CREATE UNIQUE INDEX domains_public_id ON public.domains USING btree (public_id);


CREATE INDEX domains_sync ON public.domains USING btree (sync_at) WHERE (sync_at IS NOT NULL);


CREATE INDEX event_outbox_everywhere ON public.event_outbox USING btree (zone_id) WHERE (held = 'everywhere'::text);


CREATE INDEX event_outbox_held ON public.event_outbox USING btree (zone_id, seq) WHERE (held IS NOT NULL);


CREATE INDEX event_outbox_overdue ON public.event_outbox USING btree (held_since) WHERE (held = 'serial'::text);


CREATE INDEX event_outbox_released ON public.event_outbox USING btree (created_at, seq) WHERE (held IS NULL);


CREATE INDEX event_outbox_turns ON public.event_outbox USING btree (zone_id, seq) WHERE (held = 'turn'::text);


CREATE INDEX events_recipient ON ONLY public.events USING btree ((recipients[1]), id);


CREATE INDEX events_20261127_recipients_id_idx ON public.events_20261127 USING btree ((recipients[1]), id);


CREATE INDEX events_shared ON ONLY public.events USING gin (recipients) WHERE (cardinality(recipients) > 1);


CREATE INDEX events_20261127_recipients_idx ON public.events_20261127 USING gin (recipients) WHERE (cardinality(recipients) > 1);


CREATE INDEX free_subdomains_account ON public.free_subdomains USING btree (account_id);


CREATE INDEX free_subdomains_zone ON public.free_subdomains USING btree (zone_id);


CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);


CREATE INDEX ledger_entries_credit ON public.ledger_entries USING btree (account_id, id) WHERE ((from_book = 'credit'::text) OR (to_book = 'credit'::text));


CREATE UNIQUE INDEX ledger_entries_once ON public.ledger_entries USING btree (order_id, kind) WHERE (payment_id IS NULL);


CREATE UNIQUE INDEX ledger_entries_once_a_payment ON public.ledger_entries USING btree (payment_id, kind) WHERE (payment_id IS NOT NULL);


CREATE INDEX mails_age ON public.mails USING btree (queued_at);


CREATE INDEX mails_due ON public.mails USING btree (due_at) WHERE (due_at IS NOT NULL);


CREATE INDEX orders_account ON public.orders USING btree (account_id, id DESC);


CREATE INDEX orders_expiry ON public.orders USING btree (expires_at) WHERE (status = 'pending_payment'::text);


CREATE INDEX orders_key ON public.orders USING btree (key_id, created_at) WHERE (key_id IS NOT NULL);


CREATE INDEX orders_name ON public.orders USING btree (name) WHERE (step_at IS NOT NULL);


CREATE UNIQUE INDEX orders_open ON public.orders USING btree (account_id, name) WHERE (status = ANY (ARRAY['pending_payment'::text, 'processing'::text]));


CREATE INDEX orders_renewals ON public.orders USING btree (name, old_expiry) WHERE ((kind = 'renew'::text) AND (status = 'completed'::text));


CREATE INDEX orders_step ON public.orders USING btree (step_at) WHERE (step_at IS NOT NULL);


CREATE INDEX orders_unpaid ON public.orders USING btree (account_id) WHERE (status = 'pending_payment'::text);


CREATE INDEX payments_attention ON public.payments USING btree (order_id) WHERE (refund_state = 'needs_attention'::text);


CREATE INDEX payments_order ON public.payments USING btree (order_id, created_at);


CREATE INDEX payments_step ON public.payments USING btree (step_at) WHERE (step_at IS NOT NULL);


CREATE INDEX promo_uses_code ON public.promo_uses USING btree (code, account_id) WHERE (state <> 'freed'::text);


CREATE INDEX quotes_age ON public.quotes USING btree (created_at);


CREATE INDEX registry_commands_change ON public.registry_commands USING btree (change_id, id) WHERE (change_id IS NOT NULL);


CREATE UNIQUE INDEX registry_commands_open_change ON public.registry_commands USING btree (change_id) WHERE ((change_id IS NOT NULL) AND (state = ANY (ARRAY['sending'::text, 'unknown'::text, 'pending'::text])));


CREATE UNIQUE INDEX registry_commands_open_order ON public.registry_commands USING btree (order_id) WHERE (state = ANY (ARRAY['sending'::text, 'unknown'::text]));


CREATE INDEX registry_commands_order ON public.registry_commands USING btree (order_id, id) WHERE (order_id IS NOT NULL);


CREATE INDEX webhook_endpoints_account ON public.webhook_endpoints USING btree (account_id, id);


CREATE INDEX webhook_endpoints_rotated ON public.webhook_endpoints USING btree (id) WHERE (cardinality(secrets) > 1);


CREATE INDEX webhook_lanes_due ON public.webhook_lanes USING btree (struggling, due_at) WHERE (due_at IS NOT NULL);


CREATE INDEX webhook_queue_retries ON public.webhook_queue USING btree (endpoint_id, retry_at, "position") WHERE (retry_at IS NOT NULL);


CREATE INDEX zone_contests_due ON public.zone_contests USING btree (due_at);


CREATE INDEX zone_delegations_due ON public.zone_delegations USING btree (due_at) WHERE (due_at IS NOT NULL);


CREATE INDEX zone_invitations_email ON public.zone_invitations USING btree (email);


CREATE INDEX zone_managers_account ON public.zone_managers USING btree (account_id);


CREATE INDEX zone_rrsets_managed ON public.zone_rrsets USING btree (zone_id, name) WHERE managed;


CREATE INDEX zone_verifications_due ON public.zone_verifications USING btree (due_at) WHERE (due_at IS NOT NULL);


CREATE INDEX zones_account ON public.zones USING btree (account_id, name) WHERE (state <> 'deleted'::text);


CREATE INDEX zones_added_below ON public.zones USING btree (reverse(name)) WHERE ((origin = 'added'::text) AND (NOT vouched) AND (live_at IS NOT NULL));


CREATE INDEX zones_deleted ON public.zones USING btree (deleted_at) WHERE (state = 'deleted'::text);


CREATE UNIQUE INDEX zones_live_name ON public.zones USING btree (name) WHERE (state = 'live'::text);


CREATE INDEX zones_name ON public.zones USING btree (name);


CREATE INDEX zones_parent ON public.zones USING btree (parent_id) WHERE (parent_id IS NOT NULL);


CREATE UNIQUE INDEX zones_pending_name ON public.zones USING btree (account_id, name) WHERE (state = 'pending'::text);


ALTER INDEX pgboss.job_pkey ATTACH PARTITION pgboss.job_common_pkey;


ALTER INDEX public.audit_log_account ATTACH PARTITION public.audit_log_20261101_account_id_at_idx;


ALTER INDEX public.audit_log_zone ATTACH PARTITION public.audit_log_20261101_zone_id_at_idx;


ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261127_pkey;


ALTER INDEX public.events_recipient ATTACH PARTITION public.events_20261127_recipients_id_idx;


ALTER INDEX public.events_shared ATTACH PARTITION public.events_20261127_recipients_idx;


ALTER INDEX public.webhook_attempts_pkey ATTACH PARTITION public.webhook_attempts_20261127_pkey;


ALTER INDEX public.webhook_deliveries_endpoint_id_event_id_event_day_key ATTACH PARTITION public.webhook_deliveries_20261127_endpoint_id_event_id_event_day_key;


ALTER INDEX public.webhook_deliveries_pkey ATTACH PARTITION public.webhook_deliveries_20261127_pkey;


CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION public.refuse_change();


CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION public.refuse_change();


CREATE TRIGGER zones_delegation AFTER INSERT OR UPDATE OF state ON public.zones FOR EACH ROW EXECUTE FUNCTION public.follow_delegation();


ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;


ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;


ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_dead_letter_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name);


ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;


ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;


ALTER TABLE ONLY public.account_change_bytes
    ADD CONSTRAINT account_change_bytes_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.account_credentials
    ADD CONSTRAINT account_credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.account_devices
    ADD CONSTRAINT account_devices_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.account_sessions
    ADD CONSTRAINT account_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.account_two_factors
    ADD CONSTRAINT account_two_factors_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.account_used_codes
    ADD CONSTRAINT account_used_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.api_key_domains
    ADD CONSTRAINT api_key_domains_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.api_key_domains
    ADD CONSTRAINT api_key_domains_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.api_key_zones
    ADD CONSTRAINT api_key_zones_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.api_key_zones
    ADD CONSTRAINT api_key_zones_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.credit_holds
    ADD CONSTRAINT credit_holds_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.domain_acts
    ADD CONSTRAINT domain_acts_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


ALTER TABLE ONLY public.domain_invitations
    ADD CONSTRAINT domain_invitations_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


ALTER TABLE ONLY public.domain_managers
    ADD CONSTRAINT domain_managers_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.domain_managers
    ADD CONSTRAINT domain_managers_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.former_cuts
    ADD CONSTRAINT former_cuts_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.former_nameservers
    ADD CONSTRAINT former_nameservers_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.free_subdomains
    ADD CONSTRAINT free_subdomains_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.invitation_hours
    ADD CONSTRAINT invitation_hours_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.pay_links
    ADD CONSTRAINT pay_links_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id);


ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id);


ALTER TABLE ONLY public.promo_codes
    ADD CONSTRAINT promo_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.promo_uses
    ADD CONSTRAINT promo_uses_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.promo_uses
    ADD CONSTRAINT promo_uses_code_fkey FOREIGN KEY (code) REFERENCES public.promo_codes(code);


ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.registry_commands
    ADD CONSTRAINT registry_commands_change_id_fkey FOREIGN KEY (change_id) REFERENCES public.domain_acts(id);


ALTER TABLE ONLY public.registry_commands
    ADD CONSTRAINT registry_commands_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id);


ALTER TABLE ONLY public.unwritable_rrsets
    ADD CONSTRAINT unwritable_rrsets_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.webhook_lanes
    ADD CONSTRAINT webhook_lanes_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.zone_contests
    ADD CONSTRAINT zone_contests_live_zone_id_fkey FOREIGN KEY (live_zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.zone_contests
    ADD CONSTRAINT zone_contests_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.zone_delegations
    ADD CONSTRAINT zone_delegations_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.zone_invitations
    ADD CONSTRAINT zone_invitations_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.zone_managers
    ADD CONSTRAINT zone_managers_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.zone_managers
    ADD CONSTRAINT zone_managers_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.zone_sightings
    ADD CONSTRAINT zone_sightings_nameserver_fkey FOREIGN KEY (nameserver) REFERENCES public.nameservers(name) ON DELETE CASCADE;


ALTER TABLE ONLY public.zone_sightings
    ADD CONSTRAINT zone_sightings_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.zone_verifications
    ADD CONSTRAINT zone_verifications_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;


ALTER TABLE ONLY public.zones
    ADD CONSTRAINT zones_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);


ALTER TABLE ONLY public.zones_behind
    ADD CONSTRAINT zones_behind_nameserver_fkey FOREIGN KEY (nameserver) REFERENCES public.nameservers(name) ON DELETE CASCADE;


ALTER TABLE ONLY public.zones_behind
    ADD CONSTRAINT zones_behind_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


