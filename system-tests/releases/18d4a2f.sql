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
    CONSTRAINT accounts_zone_limit_check CHECK ((zone_limit > 0))
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
CREATE TABLE public.domain_operations (
    id bigint NOT NULL,
    act_id bigint NOT NULL,
    step text NOT NULL,
    subject text NOT NULL,
    cl_trid text NOT NULL,
    state text NOT NULL,
    sent_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    ended_at timestamp with time zone,
    reply_code integer,
    reply text DEFAULT ''::text NOT NULL,
    CONSTRAINT domain_operations_state_check CHECK ((state = ANY (ARRAY['sending'::text, 'unknown'::text, 'pending'::text, 'done'::text, 'refused'::text, 'not_done'::text])))
);
ALTER TABLE public.domain_operations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.domain_operations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
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
CREATE TABLE public.events_20261126 (
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
ALTER TABLE ONLY public.events_20261126 ALTER COLUMN recipients SET STATISTICS 0;
ALTER TABLE ONLY public.events_20261126 ALTER COLUMN endpoint_id SET STATISTICS 0;
ALTER TABLE ONLY public.events_20261126 ALTER COLUMN serial SET STATISTICS 0;
ALTER TABLE ONLY public.events_20261126 ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE ONLY public.events_20261126 ALTER COLUMN request_id SET STATISTICS 0;
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
CREATE TABLE public.registry_operations (
    id bigint NOT NULL,
    order_id text NOT NULL,
    command text NOT NULL,
    attempt integer NOT NULL,
    cl_trid text NOT NULL,
    state text NOT NULL,
    sent_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    ended_at timestamp with time zone,
    missed_at timestamp with time zone,
    reply_code integer,
    reply text DEFAULT ''::text NOT NULL,
    CONSTRAINT registry_operations_command_check CHECK ((command = ANY (ARRAY['contact'::text, 'create'::text, 'renew'::text, 'transfer'::text]))),
    CONSTRAINT registry_operations_state_check CHECK ((state = ANY (ARRAY['sending'::text, 'unknown'::text, 'pending'::text, 'done'::text, 'refused'::text, 'not_done'::text])))
);
ALTER TABLE public.registry_operations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.registry_operations_id_seq
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
    response_body text
)
PARTITION BY RANGE (event_day);
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN manual SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN duration_ms SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN status SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN failure SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN request_headers SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN response_headers SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN response_body SET STATISTICS 0;
CREATE TABLE public.webhook_attempts_20261126 (
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
    response_body text
);
ALTER TABLE ONLY public.webhook_attempts_20261126 ALTER COLUMN manual SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261126 ALTER COLUMN duration_ms SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261126 ALTER COLUMN status SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261126 ALTER COLUMN failure SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261126 ALTER COLUMN request_headers SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261126 ALTER COLUMN response_headers SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_attempts_20261126 ALTER COLUMN response_body SET STATISTICS 0;
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
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text])))
)
PARTITION BY RANGE (event_day);
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN "position" SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN last_status SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN attempts SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN requests SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN created_at SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN finished_at SET STATISTICS 0;
CREATE TABLE public.webhook_deliveries_20261126 (
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
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text])))
);
ALTER TABLE ONLY public.webhook_deliveries_20261126 ALTER COLUMN "position" SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261126 ALTER COLUMN last_status SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261126 ALTER COLUMN attempts SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261126 ALTER COLUMN requests SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261126 ALTER COLUMN created_at SET STATISTICS 0;
ALTER TABLE ONLY public.webhook_deliveries_20261126 ALTER COLUMN finished_at SET STATISTICS 0;
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
    failing_since timestamp with time zone
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
    resume_at timestamp with time zone
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
    changes json NOT NULL
);
ALTER TABLE ONLY public.zone_changes ALTER COLUMN serial SET STATISTICS 0;
ALTER TABLE ONLY public.zone_changes ALTER COLUMN actor_kind SET STATISTICS 0;
ALTER TABLE ONLY public.zone_changes ALTER COLUMN actor_name SET STATISTICS 0;
ALTER TABLE ONLY public.zone_changes ALTER COLUMN actor_id SET STATISTICS 0;
ALTER TABLE ONLY public.zone_changes ALTER COLUMN changes_count SET STATISTICS 0;
ALTER TABLE ONLY public.zone_changes ALTER COLUMN changes SET STATISTICS 0;
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
ALTER TABLE ONLY pgboss.job ATTACH PARTITION pgboss.job_common DEFAULT;
ALTER TABLE ONLY public.audit_log ATTACH PARTITION public.audit_log_20261101 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261126 FOR VALUES FROM ('2026-11-26') TO ('2026-11-27');
ALTER TABLE ONLY public.webhook_attempts ATTACH PARTITION public.webhook_attempts_20261126 FOR VALUES FROM ('2026-11-26') TO ('2026-11-27');
ALTER TABLE ONLY public.webhook_deliveries ATTACH PARTITION public.webhook_deliveries_20261126 FOR VALUES FROM ('2026-11-26') TO ('2026-11-27');
INSERT INTO pgboss.bam VALUES
	('adc64ddc-e4be-4368-a1f8-8b3ed548f2d0', 'done', 30, 'completed', NULL, 'job', 'select 1', NULL, '2026-11-26 13:23:46.588731+00', '2026-11-26 13:23:46.588731+00', '2026-11-26 13:23:46.588731+00');
INSERT INTO pgboss.job_common VALUES
	('31a1f89c-6ef9-4130-b44b-907386109bd6', '__pgboss__send-it', 0, NULL, 'completed', 2, 0, 0, false, NULL, 900, 604800, NULL, NULL, NULL, NULL, '2026-11-26 13:23:46.588731+00', '2026-11-26 13:23:46.588731+00', NULL, '2026-11-26 13:23:46.588731+00', '2026-12-10 13:23:46.588731+00', '{}', NULL, NULL, NULL, NULL);
INSERT INTO pgboss.queue VALUES
	('__pgboss__send-it', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:11.98894+00', '2026-11-26 13:21:11.98894+00'),
	('ensure-partitions', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:11.992693+00', '2026-11-26 13:21:11.992693+00'),
	('forget-idempotency-keys', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.006849+00', '2026-11-26 13:21:12.006849+00'),
	('drop-old-events', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.012452+00', '2026-11-26 13:21:12.012452+00'),
	('tidy-webhook-endpoints', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.021992+00', '2026-11-26 13:21:12.021992+00'),
	('prune-journals', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.025326+00', '2026-11-26 13:21:12.025326+00'),
	('forget-sign-ins', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.030551+00', '2026-11-26 13:21:12.030551+00'),
	('erase-deleted-zones', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.033094+00', '2026-11-26 13:21:12.033094+00'),
	('drop-old-invitations', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.036438+00', '2026-11-26 13:21:12.036438+00'),
	('forget-versions', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.040191+00', '2026-11-26 13:21:12.040191+00'),
	('erase-held-accounts', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.042839+00', '2026-11-26 13:21:12.042839+00'),
	('forget-mails', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.044923+00', '2026-11-26 13:21:12.044923+00'),
	('drop-old-quotes', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.051252+00', '2026-11-26 13:21:12.051252+00'),
	('remind-of-renewals', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.054266+00', '2026-11-26 13:21:12.054266+00'),
	('tell-of-keys', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 13:21:12.072805+00', '2026-11-26 13:21:12.072805+00');
INSERT INTO pgboss.schedule VALUES
	('ensure-partitions', '', '10 * * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.004222+00', '2026-11-26 13:21:12.004222+00'),
	('forget-idempotency-keys', '', '20 * * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.011253+00', '2026-11-26 13:21:12.011253+00'),
	('drop-old-events', '', '30 3 * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.020894+00', '2026-11-26 13:21:12.020894+00'),
	('tidy-webhook-endpoints', '', '40 * * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.02375+00', '2026-11-26 13:21:12.02375+00'),
	('prune-journals', '', '40 * * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.027586+00', '2026-11-26 13:21:12.027586+00'),
	('forget-sign-ins', '', '25 * * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.032381+00', '2026-11-26 13:21:12.032381+00'),
	('erase-deleted-zones', '', '50 * * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.034284+00', '2026-11-26 13:21:12.034284+00'),
	('drop-old-invitations', '', '25 * * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.03834+00', '2026-11-26 13:21:12.03834+00'),
	('forget-versions', '', '15 4 * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.041558+00', '2026-11-26 13:21:12.041558+00'),
	('erase-held-accounts', '', '35 * * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.04403+00', '2026-11-26 13:21:12.04403+00'),
	('forget-mails', '', '40 * * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.050223+00', '2026-11-26 13:21:12.050223+00'),
	('drop-old-quotes', '', '40 * * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.052237+00', '2026-11-26 13:21:12.052237+00'),
	('remind-of-renewals', '', '*/10 * * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.070618+00', '2026-11-26 13:21:12.070618+00'),
	('tell-of-keys', '', '15 * * * *', 'UTC', NULL, '{}', '2026-11-26 13:21:12.077807+00', '2026-11-26 13:21:12.077807+00');
INSERT INTO pgboss.subscription VALUES
	('release', '__pgboss__send-it', '2026-11-26 13:23:46.588731+00', '2026-11-26 13:23:46.588731+00');
INSERT INTO pgboss.version VALUES
	(30, '2026-11-26 13:21:11.993293+00', '2026-11-26 13:21:11.994422+00');
INSERT INTO pgboss.warning VALUES
	('2926b46a-3293-49ca-8d18-170da7c2fcbd', 'queue_backlog', 'A queue was long.', NULL, '2026-11-26 13:23:46.588731+00');
INSERT INTO public.account_credentials VALUES
	('765934c8-f020-4172-b028-cadbee6785ca', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'credential', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ece42ca55c18d6afbc72756bd764b0f1:030a47e8aa0b9b267d666a572752a937c5fdefaabd9dc14171e50a16c54f75232522948df53bf7ab4bd471782f12c95f3f8bafcfabce180f91c60075f3259f22', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 13:21:11.801039+00', '2026-11-26 13:21:11.801039+00'),
	('49804729-f417-442f-ae42-c95c3c8e307f', '96761603-c567-4e2d-9dfe-86cc27812161', 'credential', '96761603-c567-4e2d-9dfe-86cc27812161', 'db3ba57d557fa4a7200d4b7c28d11dac:3d6dd9cb61d64ae3140621fea5e805315dfcd153347e42d2d1cfb5840c9902c33a7680e6cc087fc1c14872ca014bc0f6843363d3b5ab2fe09e56bb5867dca4ea', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 13:21:24.124+00', '2026-11-26 13:21:24.124+00'),
	('ebe88261-4831-48c6-b88b-c4afc71072b4', '05b7759b-8964-4e51-8d76-00763f484018', 'credential', '05b7759b-8964-4e51-8d76-00763f484018', 'b8ded6efeb7128d4090bd95aaa48c3a3:8082b87f93cb6a869a21949f3d671845dea37d68d1c1008539bc00453f62fc09cd8fa783b6b9337423a1f4d47a370f4b95471bf440a44efbff7678fd523652bd', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 13:21:24.721+00', '2026-11-26 13:21:24.721+00');
INSERT INTO public.account_sessions VALUES
	('d4e77a7b-6cce-472c-8944-4c65583147f1', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'PYlirxGWtoamZg3nkkqeZy6dF0Wk1GmE', '2026-12-10 13:21:13.733+00', '127.0.0.1', 'node', '2026-11-26 13:21:13.733+00', '2026-11-26 13:21:13.733+00'),
	('741afb9b-35f8-444d-8f5d-e0ff937824f8', '96761603-c567-4e2d-9dfe-86cc27812161', 'bqC0lbJHVRIo4S9HyjJI84Qn1VKymIBk', '2026-12-10 13:21:24.368+00', '127.0.0.1', 'node', '2026-11-26 13:21:24.369+00', '2026-11-26 13:21:24.369+00'),
	('f5dd4cc3-93b5-47da-bbbb-17e644094009', '96761603-c567-4e2d-9dfe-86cc27812161', 'G1p1ATuHBbOZGRqVMQfmRIoRFvY0LZej', '2026-12-10 13:21:26.624+00', '127.0.0.1', 'node', '2026-11-26 13:21:26.624+00', '2026-11-26 13:21:26.624+00');
INSERT INTO public.account_tries VALUES
	('code-from', '127.0.0.1', '2026-11-26 13:21:13.703211+00', 0),
	('sign-up-from', '127.0.0.1', '2026-11-26 13:21:23.85295+00', 2),
	('mail', 'leaver@example.net', '2026-11-26 13:21:24.482082+00', 1),
	('mail', 'manager@example.net', '2026-11-26 13:21:23.856765+00', 2),
	('checkout-of', 'ord_01a218049df1972175c096ed352c8b31', '2026-11-26 13:21:25.515511+00', 1),
	('sign-in-from', '127.0.0.1', '2026-11-26 13:21:13.392415+00', 1),
	('checkout-of', 'ord_01a21804a2ae570f4b7849e86a37df9b', '2026-11-26 13:21:26.740998+00', 1),
	('checkout-of', 'ord_01a218051a15b626406767836ebb613c', '2026-11-26 13:21:57.368305+00', 1),
	('checkout-of', 'ord_01a21805307204fed1a5b49df80a2867', '2026-11-26 13:22:03.009506+00', 1),
	('checkout-by', '2fef3432-cf37-4976-8cdd-5634d21d4922', '2026-11-26 13:21:25.515905+00', 4),
	('password', 'manager@example.net', '2026-11-26 13:23:46.65908+00', 10);
INSERT INTO public.account_two_factors VALUES
	('dc0359bf-946f-49c5-bd24-fc68a06159c8', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'e78cbe0c38704b330130fc544f5ee821d5b6baa1f840d57a3ca91325d07efd311dfe3af26dbeaea9f079af27c3cdace579c9004c4f8c34de222f755fb2b2d50921b22df624e55367', '496bb15d735da20a25f75c6466d49d3fa4784f59b3453b6a657898843247095ebb0928f486ef44ef53fb', true, 0, NULL);
INSERT INTO public.account_used_codes VALUES
	('2fef3432-cf37-4976-8cdd-5634d21d4922', 59856642, '2026-11-26 13:21:13.711225+00'),
	('2fef3432-cf37-4976-8cdd-5634d21d4922', 59856643, '2026-11-26 13:21:26.052951+00');
INSERT INTO public.account_verifications VALUES
	('737914c8-4a02-41cc-88af-5c35c65c519e', '8NSusSel0vBZhnAxDPA258tuMPkTwCzE5zcF7ZhlIjI', '96761603-c567-4e2d-9dfe-86cc27812161', '2026-11-26 14:21:25.073+00', '2026-11-26 13:21:25.075+00', '2026-11-26 13:21:25.075+00'),
	('e6ebf054-3bf4-422b-8b39-c321176d49a5', 'reset-password:4928fa748dce8f581451dfe1e13508b1', '96761603-c567-4e2d-9dfe-86cc27812161', '2026-11-26 14:23:46.657884+00', '2026-11-26 13:23:46.657884+00', '2026-11-26 13:23:46.657884+00');
INSERT INTO public.accounts VALUES
	('2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo@zonewright.test', 'Demo', true, true, NULL, '2026-11-26 13:21:10.14692+00', '2026-11-26 13:21:10.14692+00', NULL, NULL, NULL, NULL),
	('96761603-c567-4e2d-9dfe-86cc27812161', 'manager@example.net', 'Guest', true, false, NULL, '2026-11-26 13:21:24.117+00', '2026-11-26 13:21:24.365+00', NULL, NULL, NULL, NULL),
	('05b7759b-8964-4e51-8d76-00763f484018', 'deleted:05b7759b-8964-4e51-8d76-00763f484018', 'Guest', true, false, NULL, '2026-11-26 13:21:24.719+00', '2026-11-26 13:21:24.778+00', '2026-11-26 13:21:25.026757+00', 'leaver@example.net', NULL, NULL),
	('01a158e5-c8f1-4d80-b4a2-7486e73aeb7b', 'parent@example.net', 'Parent', true, false, NULL, '2026-11-26 13:21:18.784366+00', '2026-11-26 13:21:18.784366+00', NULL, NULL, NULL, 50),
	('73db926b-4557-4332-86d5-5a076153faee', 'deleted:00000000-0000-4000-8000-000000000001', '', false, false, NULL, '2026-11-26 13:23:46.662891+00', '2026-11-26 13:23:46.662891+00', '2026-11-18 13:23:46.662891+00', NULL, '2026-11-26 13:23:46.662891+00', NULL);
INSERT INTO public.api_key_windows VALUES
	('key_01a2180469576042a399eb45bbd1cf3f', '{1795699273010,1795699273749,1795699280520,1795699280557,1795699280584,1795699280613,1795699280664,1795699280813,1795699281043,1795699281090,1795699281165,1795699281346,1795699281361,1795699281393,1795699282819,1795699285453,1795699285474,1795699285592,1795699285612,1795699285641,1795699285665,1795699285687,1795699285700,1795699285752,1795699285804,1795699285820,1795699285857,1795699285875,1795699285899,1795699285922,1795699285930,1795699286098,1795699286667,1795699286696,1795699286767,1795699286790,1795699286816,1795699286835,1795699286851,1795699286868,1795699286883,1795699286901,1795699286922,1795699286948,1795699286974,1795699287000,1795699287032,1795699287064,1795699287099,1795699287139,1795699287191,1795699287246,1795699287306,1795699287376,1795699287445,1795699287525,1795699287614,1795699287708,1795699287815,1795699287925,1795699288053,1795699288194,1795699288350,1795699288513,1795699288695,1795699288899,1795699289119,1795699289366,1795699289621,1795699289877,1795699290132,1795699290390,1795699290647,1795699290903,1795699291159,1795699291415,1795699291670,1795699291927,1795699292185,1795699292447,1795699292710,1795699292966,1795699293226,1795699293489,1795699293752,1795699294021,1795699294281,1795699294543,1795699294806,1795699295073,1795699295334,1795699295592,1795699295853,1795699296122,1795699296394,1795699296650,1795699296910,1795699297170,1795699297433,1795699297697,1795699297954,1795699298215,1795699298476,1795699298736,1795699298995,1795699299254,1795699299514,1795699299769,1795699300046,1795699300303,1795699300561,1795699300823,1795699301083,1795699301343,1795699301603,1795699301859,1795699302128,1795699302462,1795699302725,1795699302986,1795699303242,1795699303500,1795699303759,1795699304019,1795699304282,1795699304536,1795699304794,1795699305048,1795699305304,1795699305565,1795699305819,1795699306078,1795699306342,1795699306604,1795699306862,1795699307122,1795699307382,1795699307638,1795699307900,1795699308157,1795699308418,1795699308678,1795699308935,1795699309190,1795699309445,1795699309703,1795699309958,1795699310214,1795699310471,1795699310727,1795699310983,1795699311239,1795699311496,1795699311752,1795699312006,1795699312261,1795699312517,1795699312772,1795699313028,1795699313284,1795699313540,1795699313798,1795699314052,1795699314306,1795699314562,1795699314819,1795699315073,1795699315329,1795699315584,1795699315840,1795699316096,1795699316352,1795699316610,1795699316864,1795699317117,1795699317139,1795699317150,1795699317166,1795699317191,1795699317211,1795699317247,1795699317258,1795699317391,1795699317407,1795699317429,1795699317446,1795699317471,1795699317490,1795699317521,1795699317541,1795699317563,1795699317584,1795699317609,1795699317634,1795699317663,1795699317695,1795699317730,1795699317770,1795699317833,1795699317925,1795699318002,1795699318071,1795699318145,1795699318227,1795699318316,1795699318415,1795699318529,1795699318650,1795699318782,1795699318925,1795699319084,1795699319259,1795699319451,1795699319663,1795699319897,1795699320153,1795699320415,1795699320671,1795699320926,1795699321181,1795699321436,1795699321690,1795699321946,1795699322203,1795699322459,1795699322714,1795699322975,1795699322980,1795699322992,1795699323041,1795699323061,1795699323075,1795699323109,1795699323182,1795699323290,1795699323355,1795699323392,1795699323433,1795699323480,1795699323529,1795699323583,1795699323642,1795699323706,1795699323777,1795699323857,1795699323948,1795699324045,1795699324149,1795699324266,1795699324397,1795699324540,1795699324700,1795699324872,1795699325061,1795699325272,1795699325501,1795699325752,1795699326007,1795699326268,1795699326524,1795699326780,1795699327037,1795699327295,1795699327552,1795699327810,1795699328068,1795699328330,1795699328585,1795699328844,1795699329102,1795699329116,1795699329134,1795699329149,1795699329173,1795699329194,1795699329199,1795699329203,1795699329216,1795699329226,1795699329242}', 1);
INSERT INTO public.api_key_zones VALUES
	('key_01a2180497614c1409f234f5b0215e28', 'd589385e-e09d-46b4-ade5-af60fe2dc736');
INSERT INTO public.api_keys VALUES
	('key_01a2180469576042a399eb45bbd1cf3f', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo', 'bgMR', '\x73b9aff625957763f1a00b5ded13148bcd8d87df49b9d6f9bc9fff5f37f06cfc', true, '{records:read,records:write,zones:manage,acme:dns01,domains:read,domains:buy,domains:manage,webhooks:manage}', '2026-11-26 13:21:12.024461+00', NULL, NULL, '2026-11-26 13:21:13.028728+00', '127.0.0.1', NULL),
	('key_01a2180497614c1409f234f5b0215e28', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'for one zone', 'xma0', '\x20932020fcfc7b952153f604a9c7843b031f3bea444e604d0316d3b048db9172', false, '{records:read}', '2026-11-26 13:21:23.812932+00', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.audit_log_20261101 OVERRIDING SYSTEM VALUE VALUES
	(1, '2026-11-26 13:21:12.053443+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'operator', 'operator', NULL, 'account.created', NULL, NULL, NULL, 'Account demo@zonewright.test was created', NULL, NULL, NULL),
	(2, '2026-11-26 13:21:12.053443+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'operator', 'operator', NULL, 'zone.added', 'd589385e-e09d-46b4-ade5-af60fe2dc736', 'example.test', NULL, 'Zone example.test was added (live)', NULL, NULL, NULL),
	(3, '2026-11-26 13:21:12.053443+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'operator', 'operator', NULL, 'key.created', NULL, NULL, NULL, 'API key "demo" was created', '{"key":"key_01a2180469576042a399eb45bbd1cf3f"}', NULL, NULL),
	(4, '2026-11-26 13:21:13.130096+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 'webhook.created', NULL, NULL, NULL, 'Webhook endpoint https://127.0.0.1:17982/hooks/demo was created', '{"endpoint":"whe_01a218046d6214db6b9acad9e107f68b"}', 'req_01a218046d0dae9f02412c941e683e4b', '127.0.0.1'),
	(5, '2026-11-26 13:21:13.739279+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'session', 'demo@zonewright.test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'session.created', NULL, NULL, NULL, 'Signed in', NULL, NULL, '127.0.0.1'),
	(6, '2026-11-26 13:21:13.762407+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 'contact.created', NULL, NULL, NULL, 'Contact Ada Obi was created', '{"contact":"con_01a21804701fbdbc1f4dd4eb3c94e16e"}', 'req_01a21804701295cce3530ce89e3baf3c', '127.0.0.1'),
	(7, '2026-11-26 13:21:15.083916+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'operator', 'operator', NULL, 'credit.granted', NULL, NULL, NULL, '₦150,000.00 of credit was granted: a gift', '{"amount_kobo":15000000}', NULL, NULL),
	(8, '2026-11-26 13:21:16.232401+00', '00000000-0000-0000-0000-000000000000', 'operator', 'operator', NULL, 'promo.created', NULL, NULL, NULL, 'Promo code HALF was created', '{"promo_code":"HALF"}', NULL, NULL),
	(12, '2026-11-26 13:21:20.541189+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 'records.changed', 'd589385e-e09d-46b4-ade5-af60fe2dc736', 'example.test', NULL, 'example.test A was created', '{"version":1,"serial":1795699280}', 'req_01a218048a71fd88677e91e41266c90f', '127.0.0.1'),
	(21, '2026-11-26 13:21:21.386084+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 'zone.added', 'cd6ea2ea-b1f9-4b4f-aac9-6efce504b4b0', 'pending-zone.test', NULL, 'Zone pending-zone.test was added (pending)', NULL, 'req_01a218048dcf7faf8c0ffc9b97a87a9b', '127.0.0.1'),
	(22, '2026-11-26 13:21:21.449068+00', '01a158e5-c8f1-4d80-b4a2-7486e73aeb7b', 'system', 'free subdomains', NULL, 'records.changed', '4a034feb-44f7-4fcb-9201-c4288f3a1b4e', 'free.example.net', NULL, 'petals.free.example.net NS was created', '{"version":1,"serial":1795699281}', NULL, NULL),
	(23, '2026-11-26 13:21:21.449694+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'session', 'demo@zonewright.test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'zone.added', 'e537b0b4-824d-488a-8891-171e1e1b7c0f', 'petals.free.example.net', NULL, 'Zone petals.free.example.net was added (live)', NULL, 'req_01a218048e0767f8b0cd265ba4ef3eb9', '127.0.0.1'),
	(27, '2026-11-26 13:21:22.874936+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'session', 'demo@zonewright.test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'zone.deleted', 'bf4d04d0-7930-4903-bf71-d5ab87822728', 'deleted.example', NULL, 'Zone deleted.example was deleted', '{"version":0,"serial":1795699282}', 'req_01a21804938bfa7221e6ceb609f18ab2', '127.0.0.1'),
	(29, '2026-11-26 13:21:24.140796+00', '96761603-c567-4e2d-9dfe-86cc27812161', 'system', 'sign-up', NULL, 'account.created', NULL, NULL, NULL, 'Account manager@example.net was created', NULL, NULL, NULL),
	(31, '2026-11-26 13:21:24.395732+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'session', 'demo@zonewright.test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'manager.invited', 'ac30d942-25b5-4198-9ec1-ee797fb363a9', 'shared.example', NULL, 'manager@example.net was invited to manage shared.example', NULL, 'req_01a21804999adeb9073852ae7f620b2e', '127.0.0.1'),
	(32, '2026-11-26 13:21:24.435098+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'session', 'manager@example.net', '96761603-c567-4e2d-9dfe-86cc27812161', 'manager.accepted', 'ac30d942-25b5-4198-9ec1-ee797fb363a9', 'shared.example', NULL, 'manager@example.net manages shared.example now', NULL, 'req_01a2180499c5d32e37c32765c986fac3', '127.0.0.1'),
	(36, '2026-11-26 13:21:25.044253+00', '05b7759b-8964-4e51-8d76-00763f484018', 'session', 'leaver@example.net', '05b7759b-8964-4e51-8d76-00763f484018', 'account.deleted', NULL, NULL, NULL, 'The account was deleted; its zones answer for 7 days more', NULL, 'req_01a218049b33b4880089a0c6c3bb3d35', '127.0.0.1'),
	(37, '2026-11-26 13:21:25.496231+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 'order.placed', NULL, NULL, 'card-shop.test', 'The registration of card-shop.test was ordered', '{"order":"ord_01a218049df1972175c096ed352c8b31","status":"pending_payment"}', 'req_01a218049de0855a3c80fc871dbe9119', '127.0.0.1'),
	(43, '2026-11-26 13:21:25.798892+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 'order.paid', NULL, NULL, 'credit-shop.test', 'The registration of credit-shop.test was ordered', '{"order":"ord_01a218049f071dc166e3f806179a1506","status":"processing"}', 'req_01a218049ef43d505ff0cc17aeda4931', '127.0.0.1'),
	(38, '2026-11-26 13:21:25.620051+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'system', 'card payments', NULL, 'order.paid', NULL, NULL, 'card-shop.test', 'The registration of card-shop.test is processing', '{"order":"ord_01a218049df1972175c096ed352c8b31","status":"processing"}', NULL, NULL),
	(39, '2026-11-26 13:21:25.687496+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'system', 'orders', NULL, 'order.completed', NULL, NULL, 'card-shop.test', 'The registration of card-shop.test is completed', '{"order":"ord_01a218049df1972175c096ed352c8b31","status":"completed"}', NULL, NULL),
	(40, '2026-11-26 13:21:25.687496+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'system', 'orders', NULL, 'zone.added', '038b061c-4d04-4c23-b154-54b9e38f44dd', 'card-shop.test', NULL, 'Zone card-shop.test was added (live)', NULL, NULL, NULL),
	(41, '2026-11-26 13:21:25.687496+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'system', 'orders', NULL, 'zone.bought', '038b061c-4d04-4c23-b154-54b9e38f44dd', 'card-shop.test', NULL, 'The domain card-shop.test is this account''s: its zone is live', NULL, NULL, NULL),
	(42, '2026-11-26 13:21:25.687496+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'system', 'orders', NULL, 'domain.registered', NULL, NULL, 'card-shop.test', 'card-shop.test was registered', NULL, NULL, NULL),
	(48, '2026-11-26 13:21:26.016253+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 'domain.locked', NULL, NULL, 'credit-shop.test', 'credit-shop.test was locked', NULL, 'req_01a218049fa927db9e6e046201d233d5', '127.0.0.1'),
	(49, '2026-11-26 13:21:26.089161+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'session', 'demo@zonewright.test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'domain.unlocked', NULL, NULL, 'credit-shop.test', 'credit-shop.test was unlocked', NULL, 'req_01a21804a00be2e217f221a796267464', '127.0.0.1'),
	(50, '2026-11-26 13:21:26.157913+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 'domain.nameservers_changed', NULL, NULL, 'credit-shop.test', 'The nameservers of credit-shop.test are ns1.example.net, ns2.example.net', NULL, 'req_01a21804a051cd69a8b617ea7f93e42a', '127.0.0.1'),
	(55, '2026-11-26 13:21:57.129135+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'session', 'demo@zonewright.test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'pay_link.created', NULL, NULL, 'declined.test', 'The pay link of the order for declined.test was created', '{"order":"ord_01a21804a2ae570f4b7849e86a37df9b"}', 'req_01a218051981e7977b4e12a62d021a66', '127.0.0.1'),
	(58, '2026-11-26 13:21:57.220268+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 'order.cancelled', NULL, NULL, 'cancelled.test', 'The registration of cancelled.test is cancelled', '{"order":"ord_01a2180519d1952214cb233e837bdd17","status":"cancelled"}', 'req_01a2180519d83649c23dc1a7c7593591', '127.0.0.1'),
	(65, '2026-11-26 13:21:57.431425+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'system', 'orders', NULL, 'order.failed', NULL, NULL, 'taken-later.test', 'The registration of taken-later.test is failed: The name was taken before it could be registered. The registry says: Object exists: taken-later.test is registered (2302).', '{"order":"ord_01a218051a15b626406767836ebb613c","status":"failed"}', NULL, NULL),
	(66, '2026-11-26 13:22:02.901129+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'system', 'refunds', NULL, 'order.refunded', NULL, NULL, 'taken-later.test', 'The registration of taken-later.test is refunded', '{"order":"ord_01a218051a15b626406767836ebb613c","status":"refunded"}', NULL, NULL),
	(70, '2026-11-26 13:22:08.914294+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'system', 'refunds', NULL, 'order.credited', NULL, NULL, 'taken-too.test', 'The registration of taken-too.test is credited', '{"order":"ord_01a21805307204fed1a5b49df80a2867","status":"credited"}', NULL, NULL),
	(73, '2026-11-26 13:22:09.184259+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'system', 'orders', NULL, 'domain.transfer_begun', NULL, NULL, 'theirs.test', 'The transfer of theirs.test to us has begun', NULL, NULL, NULL),
	(76, '2026-11-26 13:22:09.237738+00', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'system', 'orders', NULL, 'domain.renewed', NULL, NULL, 'card-shop.test', 'card-shop.test was renewed until 2028-11-26', NULL, NULL, NULL);
INSERT INTO public.catalog VALUES
	(true, 1795699317, 8);
INSERT INTO public.catalog_journal VALUES
	(1795699271, 1795699272, '[]', '[{"label":"b2384f6e35866bfaa4d8","zone":"example.test"}]', '2026-11-26 13:21:12.998027+00'),
	(1795699272, 1795699280, '[]', '[{"label":"6326828050bed3663003","zone":"free.example.net"}]', '2026-11-26 13:21:20.476745+00'),
	(1795699280, 1795699281, '[]', '[{"label":"a1b38f66aefa01d11704","zone":"petals.free.example.net"}]', '2026-11-26 13:21:21.464503+00'),
	(1795699281, 1795699282, '[]', '[{"label":"b5a31b13fdf9df72f3be","zone":"deleted.example"},{"label":"ca0c9cc72cafa68408f0","zone":"released.example"},{"label":"6a903181a2cbfc96fa00","zone":"shared.example"}]', '2026-11-26 13:21:22.784732+00'),
	(1795699282, 1795699283, '[{"label":"b5a31b13fdf9df72f3be","zone":"deleted.example"}]', '[]', '2026-11-26 13:21:22.976295+00'),
	(1795699283, 1795699285, '[]', '[{"label":"89fa720efdac5b765d64","zone":"card-shop.test"}]', '2026-11-26 13:21:25.700709+00'),
	(1795699285, 1795699286, '[]', '[{"label":"12b26132aee047cd371f","zone":"credit-shop.test"}]', '2026-11-26 13:21:25.945016+00'),
	(1795699286, 1795699317, '[]', '[{"label":"5930744a7cb2c050fa6e","zone":"unpaid.test"}]', '2026-11-26 13:21:57.250552+00');
INSERT INTO public.catalog_members VALUES
	('example.test', 'b2384f6e35866bfaa4d8', 'd589385e-e09d-46b4-ade5-af60fe2dc736'),
	('free.example.net', '6326828050bed3663003', '4a034feb-44f7-4fcb-9201-c4288f3a1b4e'),
	('petals.free.example.net', 'a1b38f66aefa01d11704', 'e537b0b4-824d-488a-8891-171e1e1b7c0f'),
	('released.example', 'ca0c9cc72cafa68408f0', '3f84f814-55f9-4f5b-8b8d-7a02e9dc1899'),
	('shared.example', '6a903181a2cbfc96fa00', 'ac30d942-25b5-4198-9ec1-ee797fb363a9'),
	('card-shop.test', '89fa720efdac5b765d64', '038b061c-4d04-4c23-b154-54b9e38f44dd'),
	('credit-shop.test', '12b26132aee047cd371f', 'f996805d-471f-47c6-a7d4-f64d31e56d4c'),
	('unpaid.test', '5930744a7cb2c050fa6e', 'aedcf807-6958-4359-8e64-3e44c94bb4ee');
INSERT INTO public.contacts VALUES
	('con_01a21804701fbdbc1f4dd4eb3c94e16e', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'Ada Obi', '', 'ada@example.net', '+2348031234567', '12 Broad Street', '', 'Lagos', 'LA', '101221', 'NG', '{}', '2026-11-26 13:21:13.760656+00', '2026-11-26 13:21:13.760656+00');
INSERT INTO public.credit_holds VALUES
	('ord_01a21806c51e73d9e14ff29902b7cdaf', '2fef3432-cf37-4976-8cdd-5634d21d4922', 1000, '2026-11-26 13:23:46.660199+00');
INSERT INTO public.domain_acts OVERRIDING SYSTEM VALUE VALUES
	(1, 2, 'lock', '{"kind": "lock"}', NULL, '{"id": "key_01a2180469576042a399eb45bbd1cf3f", "kind": "key", "name": "", "address": null, "requestId": "req_01a218049fa927db9e6e046201d233d5"}', false, NULL, 'done', 1, NULL, '2026-11-26 13:23:25.981526+00', '2026-11-26 13:21:25.952511+00', '2026-11-26 13:21:26.007572+00'),
	(2, 2, 'unlock', '{"kind": "unlock"}', NULL, '{"id": "2fef3432-cf37-4976-8cdd-5634d21d4922", "kind": "session", "name": "", "address": null, "requestId": "req_01a21804a00be2e217f221a796267464"}', true, NULL, 'done', 1, NULL, '2026-11-26 13:23:26.074726+00', '2026-11-26 13:21:26.053837+00', '2026-11-26 13:21:26.08839+00'),
	(3, 2, 'nameservers', '{"kind": "nameservers", "hosts": [], "isUnsigned": false, "nameservers": ["ns1.example.net", "ns2.example.net"]}', NULL, '{"id": "key_01a2180469576042a399eb45bbd1cf3f", "kind": "key", "name": "", "address": null, "requestId": "req_01a21804a051cd69a8b617ea7f93e42a"}', false, NULL, 'done', 1, NULL, '2026-11-26 13:23:26.119991+00', '2026-11-26 13:21:26.106274+00', '2026-11-26 13:21:26.153933+00'),
	(4, 2, 'restore', '{"kind": "restore"}', NULL, '{"id": null, "kind": "system", "name": "", "address": null, "requestId": null}', false, NULL, 'refused', 1, NULL, '2026-11-26 13:24:46.632217+00', '2026-11-26 13:23:46.632217+00', '2026-11-26 13:23:46.632217+00'),
	(5, 2, 'transfer_code', '{"kind": "transfer_code"}', NULL, '{"id": null, "kind": "system", "name": "", "address": null, "requestId": null}', false, NULL, 'dropped', 1, NULL, '2026-11-26 13:24:46.632217+00', '2026-11-26 13:23:46.632217+00', '2026-11-26 13:23:46.632217+00'),
	(6, 1, 'lock', '{"kind": "lock"}', NULL, '{"id": null, "kind": "system", "name": "", "address": null, "requestId": null}', false, NULL, 'open', 1, NULL, '2026-11-26 13:24:46.632217+00', '2026-11-26 13:23:46.632217+00', NULL),
	(7, 1, 'contacts', '{"kind": "contacts"}', NULL, '{"id": null, "kind": "system", "name": "", "address": null, "requestId": null}', true, '{"code": "conflict", "message": "The registry refused it (2304)."}', 'refused', 1, NULL, '2026-11-26 13:24:46.632217+00', '2026-11-26 13:23:46.632217+00', '2026-11-26 13:23:46.632217+00'),
	(8, 6, 'approve_transfer', '{"kind": "approve_transfer"}', NULL, '{"id": null, "kind": "system", "name": "", "address": null, "requestId": null}', false, NULL, 'done', 1, NULL, '2026-11-26 13:24:46.632217+00', '2026-11-26 13:23:46.632217+00', '2026-11-26 13:23:46.632217+00'),
	(9, 3, 'reject_transfer', '{"kind": "reject_transfer"}', NULL, '{"id": null, "kind": "system", "name": "", "address": null, "requestId": null}', false, NULL, 'done', 1, NULL, '2026-11-26 13:24:46.632217+00', '2026-11-26 13:23:46.632217+00', '2026-11-26 13:23:46.632217+00');
INSERT INTO public.domain_invitations VALUES
	('inv_01a21804a0b2f20d1bcb4120950d134c', 2, 'manager@example.net', 'demo@zonewright.test', '2026-11-26 13:21:26.200542+00', '2026-12-10 13:21:26.200542+00'),
	('inv_01a21804a0e649298e43fdac9d7b039f', 2, 'invited@example.net', 'demo@zonewright.test', '2026-11-26 13:21:26.248509+00', '2026-12-10 13:21:26.248509+00');
INSERT INTO public.domain_managers VALUES
	(1, '96761603-c567-4e2d-9dfe-86cc27812161', '2026-11-26 13:23:46.634464+00');
INSERT INTO public.domain_operations OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'lock', 'credit-shop.test', 'ZW-a0952fca9f0635bbfa17f581', 'done', '2026-11-26 13:21:25.98415+00', '2026-11-26 13:21:26.001023+00', 1000, 'Command completed successfully'),
	(2, 2, 'allow_updates', 'credit-shop.test', 'ZW-84fe5dbe16c742bcc54fb306', 'done', '2026-11-26 13:21:26.069038+00', '2026-11-26 13:21:26.072853+00', 1000, 'Command completed successfully'),
	(3, 2, 'unlock', 'credit-shop.test', 'ZW-1e66f60b8442b95efa97a331', 'done', '2026-11-26 13:21:26.076499+00', '2026-11-26 13:21:26.085878+00', 1000, 'Command completed successfully'),
	(4, 3, 'set_nameservers', 'credit-shop.test', 'ZW-af2ba0f809af001731512a2c', 'done', '2026-11-26 13:21:26.121105+00', '2026-11-26 13:21:26.144961+00', 1000, 'Command completed successfully'),
	(5, 4, 'restore', 'credit-shop.test', 'ZW-f3618baab88e414e88131c11', 'pending', '2026-11-26 13:23:46.633327+00', NULL, 1001, ''),
	(6, 5, 'set_code', 'credit-shop.test', 'ZW-2035ee80bb7041e0a5455b71', 'unknown', '2026-11-26 13:23:46.633327+00', NULL, NULL, ''),
	(7, 6, 'lock', 'card-shop.test', 'ZW-4091bbdf01d74211a074bb5a', 'sending', '2026-11-26 13:23:46.633327+00', NULL, NULL, ''),
	(8, 6, 'lock', 'card-shop.test', 'ZW-0a5710d10aaa4dcb8686bf73', 'not_done', '2026-11-26 13:23:46.633327+00', '2026-11-26 13:23:46.633327+00', NULL, ''),
	(9, 7, 'set_registrant', 'card-shop.test', 'ZW-8922f090af76420582eefa31', 'refused', '2026-11-26 13:23:46.633327+00', '2026-11-26 13:23:46.633327+00', 2304, '');
INSERT INTO public.domains OVERRIDING SYSTEM VALUE VALUES
	(2, 'credit-shop.test', 'test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'held', 'ord_01a218049f071dc166e3f806179a1506', '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', 'ZW7B9FD3A12DB603', false, '2027-11-26 13:21:25.867+00', '{ok}', '{addPeriod}', '{ns1.example.net,ns2.example.net}', '2026-11-26 13:21:26.154308+00', '2026-11-27 13:55:40.21428+00', NULL, NULL, NULL, NULL, NULL, '2026-11-26 13:21:25.888927+00', NULL, NULL),
	(4, 'theirs.test', 'test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'arriving', 'ord_01a2180548705cdfd3df14500427d026', NULL, NULL, false, '2028-11-26 13:22:09.109+00', '{ok}', '{}', '{}', '2026-11-26 13:22:09.180964+00', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 13:22:09.180964+00', NULL, NULL),
	(1, 'card-shop.test', 'test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'held', 'ord_01a218049df1972175c096ed352c8b31', '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', 'ZWC0DDFBFAAEBA6E', false, '2028-11-26 13:21:25.653+00', '{ok}', '{}', '{ns1.zonewright.test,ns2.zonewright.test}', '2026-11-26 13:22:09.235878+00', '2026-11-27 13:53:21.563975+00', NULL, NULL, NULL, NULL, NULL, '2026-11-26 13:21:25.679016+00', NULL, NULL),
	(5, 'moving.test', 'test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'arriving', 'ord_01a21806c51e6193133643c615a1d675', NULL, NULL, false, NULL, '{}', '{}', '{}', NULL, '2026-11-26 13:23:46.629606+00', NULL, NULL, NULL, NULL, NULL, '2026-11-26 13:23:46.629606+00', NULL, NULL),
	(6, 'left.test', 'test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'gone', 'ord_01a218049df1972175c096ed352c8b31', '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', 'ZWC0DDFBFAAEBA6E', false, '2028-11-26 13:21:25.653+00', '{ok}', '{}', '{ns1.zonewright.test,ns2.zonewright.test}', '2026-11-26 13:22:09.235878+00', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-26 13:23:46.630118+00', '2026-11-26 13:23:46.630118+00', 'transferred'),
	(3, 'unpaid.test', 'test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'held', 'ord_01a2180519a2c8a645d0cf5e1d640c03', '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', 'ZWD98E780C882D94', false, '2031-11-26 13:21:57.21+00', '{pendingTransfer}', '{}', '{ns1.zonewright.test,ns2.zonewright.test}', '2026-11-26 13:21:57.223201+00', '2026-11-27 13:21:57.223201+00', NULL, '{"actBy": "2026-12-01T13:23:46.63042+00:00", "requestedAt": "2026-11-26T13:23:46.63042+00:00", "requestedBy": "rival"}', NULL, NULL, NULL, '2026-11-26 13:21:57.223201+00', NULL, NULL);
INSERT INTO public.event_outbox OVERRIDING SYSTEM VALUE VALUES
	(40, 'zone.records_changed', '{01a158e5-c8f1-4d80-b4a2-7486e73aeb7b}', NULL, 'a5d639a8-313a-4dfa-82ff-c2a3e0c3adf6', 4294967295, '{"zone":{},"changes":[]}', false, 24, NULL, 'serial', '2026-11-26 13:23:46.646074+00', NULL, NULL),
	(41, 'zone.created', '{01a158e5-c8f1-4d80-b4a2-7486e73aeb7b}', NULL, 'a5d639a8-313a-4dfa-82ff-c2a3e0c3adf6', 4294967295, '{"zone":{}}', false, 11, NULL, 'everywhere', '2026-11-26 13:23:46.646074+00', NULL, NULL),
	(42, 'zone.deleted', '{01a158e5-c8f1-4d80-b4a2-7486e73aeb7b}', NULL, 'a5d639a8-313a-4dfa-82ff-c2a3e0c3adf6', 4294967295, '{"zone":{}}', false, 11, NULL, 'turn', 'infinity', NULL, NULL);
INSERT INTO public.events_20261126 VALUES
	('2026-11-26', 'evt_01a218046df9f09580402cd7bcdccee6', 'zone.created', '{2fef3432-cf37-4976-8cdd-5634d21d4922}', NULL, 'd589385e-e09d-46b4-ade5-af60fe2dc736', 1795699271, '2026-11-26 13:21:13.20987+00', '\x7b226964223a226576745f3031613231383034366466396630393538303430326364376263646363656536222c2274797065223a227a6f6e652e63726561746564222c22637265617465645f6174223a22323032362d31312d32365431333a32313a31332e3230395a222c2264617461223a7b227a6f6e65223a7b226964223a2264353839333835652d653039642d343662342d616465352d616636306665326463373336222c226e616d65223a226578616d706c652e74657374227d7d7d', NULL, 1),
	('2026-11-26', 'evt_01a218048b0b270b9476306e6ec85279', 'zone.records_changed', '{2fef3432-cf37-4976-8cdd-5634d21d4922}', NULL, 'd589385e-e09d-46b4-ade5-af60fe2dc736', 1795699280, '2026-11-26 13:21:20.651897+00', '\x7b226964223a226576745f3031613231383034386230623237306239343736333036653665633835323739222c2274797065223a227a6f6e652e7265636f7264735f6368616e676564222c22637265617465645f6174223a22323032362d31312d32365431333a32313a32302e3635315a222c2264617461223a7b227a6f6e65223a7b226964223a2264353839333835652d653039642d343662342d616465352d616636306665326463373336222c226e616d65223a226578616d706c652e74657374227d2c2273657269616c223a313739353639393238302c227265706c696361746564223a747275652c226368616e676573223a5b7b226e616d65223a226578616d706c652e74657374222c2274797065223a2241222c2274746c223a36302c227265636f726473223a5b223139322e302e322e31225d7d5d7d7d', 'req_01a218048a71fd88677e91e41266c90f', 3),
	('2026-11-26', 'evt_01a218048d3edf19ebd5cd2a397f247d', 'ping', '{2fef3432-cf37-4976-8cdd-5634d21d4922}', 'whe_01a218046d6214db6b9acad9e107f68b', NULL, NULL, '2026-11-26 13:21:21.214462+00', '\x7b226964223a226576745f3031613231383034386433656466313965626435636432613339376632343764222c2274797065223a2270696e67222c22637265617465645f6174223a22323032362d31312d32365431333a32313a32312e3231345a222c2264617461223a7b7d7d', 'req_01a218048d0babb0bc5540568e88b068', 11),
	('2026-11-26', 'evt_01a218048e7dadf921153ce03eb1ca1e', 'zone.created', '{2fef3432-cf37-4976-8cdd-5634d21d4922}', NULL, 'e537b0b4-824d-488a-8891-171e1e1b7c0f', 1795699281, '2026-11-26 13:21:21.533813+00', '\x7b226964223a226576745f3031613231383034386537646164663932313135336365303365623163613165222c2274797065223a227a6f6e652e63726561746564222c22637265617465645f6174223a22323032362d31312d32365431333a32313a32312e3533335a222c2264617461223a7b227a6f6e65223a7b226964223a2265353337623062342d383234642d343838612d383839312d313731653165316237633066222c226e616d65223a22706574616c732e667265652e6578616d706c652e6e6574227d7d7d', NULL, 13),
	('2026-11-26', 'evt_01a2180493b8b8008d963f6476b9c550', 'zone.deleted', '{2fef3432-cf37-4976-8cdd-5634d21d4922}', NULL, 'bf4d04d0-7930-4903-bf71-d5ab87822728', NULL, '2026-11-26 13:21:22.872928+00', '\x7b226964223a226576745f3031613231383034393362386238303038643936336636343736623963353530222c2274797065223a227a6f6e652e64656c65746564222c22637265617465645f6174223a22323032362d31312d32365431333a32313a32322e3837325a222c2264617461223a7b227a6f6e65223a7b226964223a2262663464303464302d373933302d343930332d626637312d643561623837383232373238222c226e616d65223a2264656c657465642e6578616d706c65227d7d7d', 'req_01a21804938bfa7221e6ceb609f18ab2', 17),
	('2026-11-26', 'evt_01a218049eb71131db6ac2be05cb21b6', 'order.completed', '{2fef3432-cf37-4976-8cdd-5634d21d4922}', NULL, NULL, NULL, '2026-11-26 13:21:25.687496+00', '\x7b226964223a226576745f3031613231383034396562373131333164623661633262653035636232316236222c2274797065223a226f726465722e636f6d706c65746564222c22637265617465645f6174223a22323032362d31312d32365431333a32313a32352e3638375a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231383034396466313937323137356330393665643335326338623331222c226b696e64223a227265676973746572222c226e616d65223a22636172642d73686f702e74657374222c227965617273223a312c22737461747573223a22636f6d706c65746564222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a302c2270726f6d6f5f636f6465223a22222c2270726f6d6f5f6b6f626f223a302c22636c69656e745f656d61696c223a22636c69656e74406578616d706c652e6f7267222c226c6173745f6572726f72223a22222c22637265617465645f6174223a22323032362d31312d32365431333a32313a32352e3439325a222c22706169645f6174223a22323032362d31312d32365431333a32313a32352e3631345a222c2266696e69736865645f6174223a22323032362d31312d32365431333a32313a32352e3636325a227d7d7d', 'req_01a218049de0855a3c80fc871dbe9119', 19),
	('2026-11-26', 'evt_01a2180530152306774d375dcc092d2d', 'order.refunded', '{2fef3432-cf37-4976-8cdd-5634d21d4922}', NULL, NULL, NULL, '2026-11-26 13:22:02.901129+00', '\x7b226964223a226576745f3031613231383035333031353233303637373464333735646363303932643264222c2274797065223a226f726465722e726566756e646564222c22637265617465645f6174223a22323032362d31312d32365431333a32323a30322e3930315a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231383035316131356236323634303637363738333665626236313363222c226b696e64223a227265676973746572222c226e616d65223a2274616b656e2d6c617465722e74657374222c227965617273223a312c22737461747573223a22726566756e646564222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a302c2270726f6d6f5f636f6465223a22222c2270726f6d6f5f6b6f626f223a302c22636c69656e745f656d61696c223a22222c226c6173745f6572726f72223a22546865206e616d65207761732074616b656e206265666f726520697420636f756c6420626520726567697374657265642e2054686520726567697374727920736179733a204f626a656374206578697374733a2074616b656e2d6c617465722e746573742069732072656769737465726564202832333032292e222c22637265617465645f6174223a22323032362d31312d32365431333a32313a35372e3237305a222c22706169645f6174223a22323032362d31312d32365431333a32313a35372e3339365a222c2266696e69736865645f6174223a22323032362d31312d32365431333a32313a35372e3432395a227d7d7d', NULL, 32),
	('2026-11-26', 'evt_01a218049e7455b64a5b99d9c00f27a0', 'order.paid', '{2fef3432-cf37-4976-8cdd-5634d21d4922}', NULL, NULL, NULL, '2026-11-26 13:21:25.620051+00', '\x7b226964223a226576745f3031613231383034396537343535623634613562393964396330306632376130222c2274797065223a226f726465722e70616964222c22637265617465645f6174223a22323032362d31312d32365431333a32313a32352e3632305a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231383034396466313937323137356330393665643335326338623331222c226b696e64223a227265676973746572222c226e616d65223a22636172642d73686f702e74657374222c227965617273223a312c22737461747573223a2270726f63657373696e67222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a302c2270726f6d6f5f636f6465223a22222c2270726f6d6f5f6b6f626f223a302c22636c69656e745f656d61696c223a22636c69656e74406578616d706c652e6f7267222c226c6173745f6572726f72223a22222c22637265617465645f6174223a22323032362d31312d32365431333a32313a32352e3439325a222c22706169645f6174223a22323032362d31312d32365431333a32313a32352e3631345a222c2266696e69736865645f6174223a22227d7d7d', NULL, 18),
	('2026-11-26', 'evt_01a2180519e478db8c4e9f568f8a3743', 'order.cancelled', '{2fef3432-cf37-4976-8cdd-5634d21d4922}', NULL, NULL, NULL, '2026-11-26 13:21:57.220268+00', '\x7b226964223a226576745f3031613231383035313965343738646238633465396635363866386133373433222c2274797065223a226f726465722e63616e63656c6c6564222c22637265617465645f6174223a22323032362d31312d32365431333a32313a35372e3232305a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231383035313964313935323231346362323333653833376264643137222c226b696e64223a227265676973746572222c226e616d65223a2263616e63656c6c65642e74657374222c227965617273223a312c22737461747573223a2263616e63656c6c6564222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a302c2270726f6d6f5f636f6465223a22222c2270726f6d6f5f6b6f626f223a302c22636c69656e745f656d61696c223a22222c226c6173745f6572726f72223a22222c22637265617465645f6174223a22323032362d31312d32365431333a32313a35372e3230315a222c22706169645f6174223a22222c2266696e69736865645f6174223a22323032362d31312d32365431333a32313a35372e3231385a227d7d7d', 'req_01a2180519d83649c23dc1a7c7593591', 26),
	('2026-11-26', 'evt_01a218051ab7d6ed0098fd22fb6138b0', 'order.failed', '{2fef3432-cf37-4976-8cdd-5634d21d4922}', NULL, NULL, NULL, '2026-11-26 13:21:57.431425+00', '\x7b226964223a226576745f3031613231383035316162376436656430303938666432326662363133386230222c2274797065223a226f726465722e6661696c6564222c22637265617465645f6174223a22323032362d31312d32365431333a32313a35372e3433315a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231383035316131356236323634303637363738333665626236313363222c226b696e64223a227265676973746572222c226e616d65223a2274616b656e2d6c617465722e74657374222c227965617273223a312c22737461747573223a226661696c6564222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a302c2270726f6d6f5f636f6465223a22222c2270726f6d6f5f6b6f626f223a302c22636c69656e745f656d61696c223a22222c226c6173745f6572726f72223a22546865206e616d65207761732074616b656e206265666f726520697420636f756c6420626520726567697374657265642e2054686520726567697374727920736179733a204f626a656374206578697374733a2074616b656e2d6c617465722e746573742069732072656769737465726564202832333032292e222c22637265617465645f6174223a22323032362d31312d32365431333a32313a35372e3237305a222c22706169645f6174223a22323032362d31312d32365431333a32313a35372e3339365a222c2266696e69736865645f6174223a22323032362d31312d32365431333a32313a35372e3432395a227d7d7d', 'req_01a218051a092e9640d563d9df7e95de', 30),
	('2026-11-26', 'evt_01a218049f9a9684d4e398bdeb8cfae4', 'zone.delegation_changed', '{2fef3432-cf37-4976-8cdd-5634d21d4922}', NULL, '038b061c-4d04-4c23-b154-54b9e38f44dd', NULL, '2026-11-26 13:21:25.914368+00', '\x7b226964223a226576745f3031613231383034396639613936383464346533393862646562386366616534222c2274797065223a227a6f6e652e64656c65676174696f6e5f6368616e676564222c22637265617465645f6174223a22323032362d31312d32365431333a32313a32352e3931345a222c2264617461223a7b227a6f6e65223a7b226964223a2230333862303631632d346430342d346332332d623135342d353462396533386634346464222c226e616d65223a22636172642d73686f702e74657374227d2c227374617465223a226c697665222c2270726576696f75735f7374617465223a2277616974696e67222c22706172656e745f6e616d6573657276657273223a5b226e73312e7a6f6e657772696768742e74657374222c226e73322e7a6f6e657772696768742e74657374225d2c2272656769737472795f6e616d6573657276657273223a5b226e73312e7a6f6e657772696768742e74657374222c226e73322e7a6f6e657772696768742e74657374225d7d7d', NULL, 22),
	('2026-11-26', 'evt_01a2180547929d02137c31e5928d0b56', 'order.credited', '{2fef3432-cf37-4976-8cdd-5634d21d4922}', NULL, NULL, NULL, '2026-11-26 13:22:08.914294+00', '\x7b226964223a226576745f3031613231383035343739323964303231333763333165353932386430623536222c2274797065223a226f726465722e6372656469746564222c22637265617465645f6174223a22323032362d31312d32365431333a32323a30382e3931345a222c2264617461223a7b226f72646572223a7b226964223a226f72645f3031613231383035333037323034666564316135623439646638306132383637222c226b696e64223a227265676973746572222c226e616d65223a2274616b656e2d746f6f2e74657374222c227965617273223a312c22737461747573223a226372656469746564222c22616d6f756e745f6b6f626f223a313235303030302c226372656469745f6b6f626f223a302c2270726f6d6f5f636f6465223a22222c2270726f6d6f5f6b6f626f223a302c22636c69656e745f656d61696c223a22222c226c6173745f6572726f72223a22546865206e616d65207761732074616b656e206265666f726520697420636f756c6420626520726567697374657265642e2054686520726567697374727920736179733a204f626a656374206578697374733a2074616b656e2d746f6f2e746573742069732072656769737465726564202832333032292e222c22637265617465645f6174223a22323032362d31312d32365431333a32323a30322e3939355a222c22706169645f6174223a22323032362d31312d32365431333a32323a30332e3035375a222c2266696e69736865645f6174223a22323032362d31312d32365431333a32323a30332e3131315a227d7d7d', NULL, 35);
INSERT INTO public.former_cuts VALUES
	('4a034feb-44f7-4fcb-9201-c4288f3a1b4e', 'old.free.example.net');
INSERT INTO public.former_nameservers VALUES
	('3f84f814-55f9-4f5b-8b8d-7a02e9dc1899', '{ns1.old.example,ns2.old.example}');
INSERT INTO public.free_subdomains VALUES
	('petals.free.example.net', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'e537b0b4-824d-488a-8891-171e1e1b7c0f', '2026-11-26 13:21:21.439978+00', NULL),
	('old.free.example.net', '01a158e5-c8f1-4d80-b4a2-7486e73aeb7b', '0ebd0ea5-6b53-431f-8199-13d24ef2adcd', '2026-11-26 13:23:46.643342+00', '2026-11-26 13:23:46.643342+00');
INSERT INTO public.idempotency_keys VALUES
	('key_01a2180469576042a399eb45bbd1cf3f', 'import-1', '\x9336b4c9cfe0dbea5a90918bf5b022b82f75a8268fc039559c231e5fde54d962', 200, '{"status":200,"body":{"version":6,"serial":1795699285,"diff":{"changes":[{"name":"ftp.example.test","type":"A","before":null,"after":{"ttl":300,"records":["192.0.2.9"]}}]},"ignored":[],"errors":[]},"headers":{"etag":"\"6\"","zone-serial":"1795699285"},"zoneSerial":1795699285}', '2026-11-26 13:21:20.960268+00'),
	('key_01a2180469576042a399eb45bbd1cf3f', 'under-way', '\x00', NULL, NULL, '2026-11-26 13:23:46.659596+00');
INSERT INTO public.invitation_hours VALUES
	('2fef3432-cf37-4976-8cdd-5634d21d4922', '2026-11-26 13:00:00+00', 4);
INSERT INTO public.ledger_entries OVERRIDING SYSTEM VALUE VALUES
	(1, '2026-11-26 13:21:15.063545+00', 'credit_granted', 'grants', 'credit', 15000000, '2fef3432-cf37-4976-8cdd-5634d21d4922', NULL, NULL, 'a gift'),
	(2, '2026-11-26 13:21:25.617586+00', 'card_paid', 'card', 'order', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a218049df1972175c096ed352c8b31', NULL, ''),
	(3, '2026-11-26 13:21:25.665143+00', 'earned', 'order', 'sales', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a218049df1972175c096ed352c8b31', NULL, ''),
	(4, '2026-11-26 13:21:25.79525+00', 'credit_used', 'credit', 'order', 625000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a218049f071dc166e3f806179a1506', NULL, ''),
	(5, '2026-11-26 13:21:25.880093+00', 'earned', 'order', 'sales', 625000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a218049f071dc166e3f806179a1506', NULL, ''),
	(6, '2026-11-26 13:21:57.155842+00', 'credit_used', 'credit', 'order', 6250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a2180519a2c8a645d0cf5e1d640c03', NULL, ''),
	(7, '2026-11-26 13:21:57.219939+00', 'earned', 'order', 'sales', 6250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a2180519a2c8a645d0cf5e1d640c03', NULL, ''),
	(8, '2026-11-26 13:21:57.39768+00', 'card_paid', 'card', 'order', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a218051a15b626406767836ebb613c', NULL, ''),
	(9, '2026-11-26 13:22:02.89946+00', 'card_refunded', 'order', 'card', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a218051a15b626406767836ebb613c', NULL, ''),
	(10, '2026-11-26 13:22:03.058458+00', 'card_paid', 'card', 'order', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a21805307204fed1a5b49df80a2867', NULL, ''),
	(11, '2026-11-26 13:22:08.907609+00', 'card_credited', 'order', 'credit', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a21805307204fed1a5b49df80a2867', NULL, 'taken-too.test'),
	(12, '2026-11-26 13:22:09.137159+00', 'credit_used', 'credit', 'order', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a2180548705cdfd3df14500427d026', NULL, ''),
	(13, '2026-11-26 13:22:09.221999+00', 'credit_used', 'credit', 'order', 1400000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a2180548c4d1cc182fd2df8d135b12', NULL, ''),
	(14, '2026-11-26 13:22:09.23414+00', 'earned', 'order', 'sales', 1400000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a2180548c4d1cc182fd2df8d135b12', NULL, ''),
	(15, '2026-11-26 13:23:46.616341+00', 'credit_used', 'credit', 'order', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a21806c51ec888272f7d2177d3490b', NULL, ''),
	(16, '2026-11-26 13:23:46.616341+00', 'credit_used', 'credit', 'order', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a21806c51ed93932fa466a56949d2f', NULL, ''),
	(17, '2026-11-26 13:23:46.616341+00', 'credit_used', 'credit', 'order', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a21806c51e218e8865ae4a7e42baf9', NULL, ''),
	(18, '2026-11-26 13:23:46.616341+00', 'credit_used', 'credit', 'order', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a21806c51e94cbd456306667f26d27', NULL, ''),
	(19, '2026-11-26 13:23:46.616341+00', 'credit_used', 'credit', 'order', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a21806c51e741e2585ff22a78881d0', NULL, ''),
	(20, '2026-11-26 13:23:46.616341+00', 'credit_used', 'credit', 'order', 1250000, '2fef3432-cf37-4976-8cdd-5634d21d4922', 'ord_01a21806c51e6193133643c615a1d675', NULL, ''),
	(21, '2026-11-26 13:23:46.617616+00', 'credit_granted', 'grants', 'credit', 7500000, '2fef3432-cf37-4976-8cdd-5634d21d4922', NULL, NULL, 'a gift'),
	(22, '2026-11-26 13:23:46.665282+00', 'credit_revoked', 'credit', 'grants', 5000, '01a158e5-c8f1-4d80-b4a2-7486e73aeb7b', NULL, NULL, 'every book'),
	(23, '2026-11-26 13:23:46.665282+00', 'sale_reversed', 'sales', 'credit', 5000, '01a158e5-c8f1-4d80-b4a2-7486e73aeb7b', NULL, NULL, 'every book'),
	(24, '2026-11-26 13:23:46.665282+00', 'credit_granted', 'grants', 'credit', 5000, '01a158e5-c8f1-4d80-b4a2-7486e73aeb7b', NULL, NULL, 'every book');
INSERT INTO public.mails VALUES
	('mail_01a21806c5567d86893e7bb7c7b7637c', 'zone_lost', 'parent@example.net', NULL, NULL, '2026-11-24 13:00:00+00', NULL, '2026-11-26 13:00:00+00', NULL, NULL, 0, 'too_late', NULL, NULL),
	('mail_01a2180498a6e72c31ab18e30b8e1c76', 'confirm_address', 'manager@example.net', NULL, NULL, '2026-11-26 13:21:24.135373+00', 'req_01a218049784ad291e340f6d84a926c8', '2026-11-27 13:21:24.135373+00', NULL, NULL, 1, NULL, NULL, '2026-11-26 13:21:24.331623+00'),
	('mail_01a2180499aace0bac6a10e4e0a4b0e4', 'zone_invitation', 'manager@example.net', NULL, NULL, '2026-11-26 13:21:24.395029+00', 'req_01a21804999adeb9073852ae7f620b2e', '2026-11-28 13:21:24.395029+00', NULL, NULL, 1, NULL, NULL, '2026-11-26 13:21:24.422975+00'),
	('mail_01a2180499e5e09fa47420bd13c26b96', 'zone_invitation', 'invited@example.net', NULL, NULL, '2026-11-26 13:21:24.454929+00', 'req_01a2180499d6479e880370c7a28cd36c', '2026-11-28 13:21:24.454929+00', NULL, NULL, 1, NULL, NULL, '2026-11-26 13:21:24.523694+00'),
	('mail_01a218049af9f261060f6b93f02aff0e', 'confirm_address', 'leaver@example.net', NULL, NULL, '2026-11-26 13:21:24.730295+00', 'req_01a2180499f07abe2b17f27955eaddde', '2026-11-27 13:21:24.730295+00', NULL, NULL, 1, NULL, NULL, '2026-11-26 13:21:24.754442+00'),
	('mail_01a218049c358a5b737d127d5d76f8a9', 'account_deletion', 'leaver@example.net', NULL, NULL, '2026-11-26 13:21:25.04566+00', 'req_01a218049b33b4880089a0c6c3bb3d35', '2026-11-28 13:21:25.04566+00', NULL, NULL, 1, NULL, NULL, '2026-11-26 13:21:25.091318+00'),
	('mail_01a218049c554e61f4d6b4bf8407891d', 'reset_password', 'manager@example.net', NULL, NULL, '2026-11-26 13:21:25.079819+00', 'req_01a218049c447b4e18702ae708ec0943', '2026-11-26 14:21:25.079819+00', NULL, NULL, 1, NULL, NULL, '2026-11-26 13:21:25.136611+00'),
	('mail_01a21804a0baa3aa77edc364919e665e', 'domain_invitation', 'manager@example.net', NULL, NULL, '2026-11-26 13:21:26.202675+00', 'req_01a21804a09c43180de88633566bde5f', '2026-11-28 13:21:26.202675+00', NULL, NULL, 1, NULL, NULL, '2026-11-26 13:21:26.248924+00'),
	('mail_01a21804a0ea43191a3b5467d2bb8e41', 'domain_invitation', 'invited@example.net', NULL, NULL, '2026-11-26 13:21:26.251992+00', 'req_01a21804a0c3e85809371494c1fb5cca', '2026-11-28 13:21:26.251992+00', NULL, NULL, 1, NULL, NULL, '2026-11-26 13:21:26.277541+00');
INSERT INTO public.nameservers VALUES
	('ns2.zonewright.test', '127.0.0.1:27246', 2, NULL, NULL),
	('ns1.zonewright.test', '127.0.0.1:27842', 1, '2026-11-26 13:23:46.645729+00', NULL),
	('ns2.old.example', '192.0.2.53:53', 9, NULL, '2026-11-26 13:23:46.645971+00');
INSERT INTO public.orders VALUES
	('ord_01a218049df1972175c096ed352c8b31', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a218049de0855a3c80fc871dbe9119', 'register', 'card-shop.test', 'test', 1, 'completed', NULL, 1250000, 0, '', 0, 1250000, 1400000, NULL, 'client@example.org', '', NULL, '', NULL, '2026-11-26 13:21:25.492244+00', '2026-11-26 13:21:25.614916+00', '2026-11-26 13:21:25.662588+00', '2026-11-26 13:21:25.662588+00', NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x01fb5b27c6f69348028ca876969cac1e1cbf04e1e3342a8b5f0b26c27956a45f652ed215b49625e7384c9a6442071f5dd5d4ad121f', 'ZWC0DDFBFAAEBA6E', NULL, NULL, NULL),
	('ord_01a218049f071dc166e3f806179a1506', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a218049ef43d505ff0cc17aeda4931', 'register', 'credit-shop.test', 'test', 1, 'completed', NULL, 1250000, 625000, 'HALF', 625000, 0, 1400000, NULL, '', '', NULL, '', NULL, '2026-11-26 13:21:25.794465+00', '2026-11-26 13:21:25.794465+00', '2026-11-26 13:21:25.879431+00', '2026-11-26 13:21:25.879431+00', NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x01addd354dc7857c17251b127140c5c133fab5febd40089be886b13fcc90489b716c261c0e2622b7e7d012b987031f10ea56fe5b0e', 'ZW7B9FD3A12DB603', NULL, NULL, NULL),
	('ord_01a21804a2ae570f4b7849e86a37df9b', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21804a2a3837da3bbd52ffd4a0a69', 'register', 'declined.test', 'test', 1, 'pending_payment', NULL, 1250000, 0, 'ONCE', 312500, 0, 1400000, NULL, '', '', 'awaiting_payment', 'The order waits for its payment.', NULL, '2026-11-26 13:21:26.717111+00', NULL, NULL, NULL, '2026-12-03 13:21:57.126+00', '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x015d80b98a32f6eee295e802f7a137bd039d61c25f848e557a50743f301a3363ae22335ef38c002a5f5cb1f5d318c8784c316eae67', 'ZWE40523AC2F20D8', NULL, NULL, NULL),
	('ord_01a2180519d1952214cb233e837bdd17', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a2180519c6969a5673c305a8c43280', 'register', 'cancelled.test', 'test', 1, 'cancelled', 'owner', 1250000, 0, '', 0, 0, 1400000, NULL, '', '', NULL, '', NULL, '2026-11-26 13:21:57.201737+00', NULL, '2026-11-26 13:21:57.218044+00', NULL, NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x0145c4c9fd5d13908ce48d528388e46cb12f1915dca0a4ee2b3db47574aab68e2d682444bfd918b733ee4e396c01c73b63e711b2dc', 'ZW9BEA34B3AD85D5', NULL, NULL, NULL),
	('ord_01a2180519a2c8a645d0cf5e1d640c03', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805199dced9c8a46fb22abb46bd', 'register', 'unpaid.test', 'test', 5, 'completed', NULL, 6250000, 6250000, '', 0, 0, 1400000, NULL, '', '', NULL, '', NULL, '2026-11-26 13:21:57.155529+00', '2026-11-26 13:21:57.155529+00', '2026-11-26 13:21:57.219519+00', '2026-11-26 13:21:57.219519+00', NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x011c9481af91f0dfa07b112875641f87518b8e3c013d1694f3f7c964c74309db985d49cd914711af0d8a1796ff654f33690bafaac1', 'ZWD98E780C882D94', NULL, NULL, NULL),
	('ord_01a218051a15b626406767836ebb613c', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a218051a092e9640d563d9df7e95de', 'register', 'taken-later.test', 'test', 1, 'refunded', NULL, 1250000, 0, '', 0, 1250000, 1400000, NULL, '', 'The name was taken before it could be registered. The registry says: Object exists: taken-later.test is registered (2302).', NULL, '', NULL, '2026-11-26 13:21:57.270178+00', '2026-11-26 13:21:57.39694+00', '2026-11-26 13:21:57.429822+00', NULL, NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x01ada3a50af186a00bce5f59843ebe5d15825adec331ccc01a6adb10eb47c76d8f127e857a7cd4c0f0a31d23f7476fb0e278b6cc77', 'ZWB611420799DF2F', NULL, NULL, NULL),
	('ord_01a21805307204fed1a5b49df80a2867', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805306bf5004a1cae2bd8c9df10', 'register', 'taken-too.test', 'test', 1, 'credited', NULL, 1250000, 0, '', 0, 1250000, 1400000, NULL, '', 'The name was taken before it could be registered. The registry says: Object exists: taken-too.test is registered (2302).', NULL, '', NULL, '2026-11-26 13:22:02.995165+00', '2026-11-26 13:22:03.057832+00', '2026-11-26 13:22:03.111629+00', NULL, NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x015c9d259be6ee380daff85e1a9338e7b76a592315c7e0ec3c515968aeeb6077ffb9753ad8330acd0399918fe1909639425e4514f4', 'ZWE24C0C65BA0BD3', NULL, NULL, NULL),
	('ord_01a2180548705cdfd3df14500427d026', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805486da72a44547fa641b9675b', 'transfer', 'theirs.test', 'test', 1, 'completed', NULL, 1250000, 1250000, '', 0, 0, 1400000, NULL, '', '', 'registry_pending', 'The transfer has begun; the present registrar has some days to object.', '2026-12-01 13:22:09.163+00', '2026-11-26 13:22:09.136828+00', '2026-11-26 13:22:09.136828+00', '2026-11-26 13:22:09.175424+00', NULL, NULL, NULL, false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x016557e9c71ab3f654b055c1dd6a1626376f2f6f36b6340c93d56e327523969aaf3ea024a540ef', NULL, NULL, NULL, '2026-11-26 14:22:09.175424+00'),
	('ord_01a2180548c4d1cc182fd2df8d135b12', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a2180548bfb448357f6552eb34cea1', 'renew', 'card-shop.test', 'test', 1, 'completed', NULL, 1400000, 1400000, '', 0, 0, 1400000, NULL, '', '', NULL, '', NULL, '2026-11-26 13:22:09.221551+00', '2026-11-26 13:22:09.221551+00', '2026-11-26 13:22:09.233691+00', '2026-11-26 13:22:09.233691+00', NULL, NULL, false, '{ns1.zonewright.test,ns2.zonewright.test}', NULL, NULL, '2027-11-26 13:21:25.653+00', NULL, NULL),
	('ord_01a21806c51ec888272f7d2177d3490b', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805199dced9c8a46fb22abb46bd', 'register', 'sending.test', 'test', 1, 'processing', NULL, 1250000, 1250000, '', 0, 0, 1400000, NULL, '', '', 'sending', 'The order is being sent to the registry.', NULL, '2026-11-26 13:21:57.155529+00', '2026-11-26 13:23:46.590652+00', NULL, NULL, NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x011c9481af91f0dfa07b112875641f87518b8e3c013d1694f3f7c964c74309db985d49cd914711af0d8a1796ff654f33690bafaac1', 'ZWD98E780C882D94', NULL, NULL, '2026-11-26 13:23:46.590652+00'),
	('ord_01a21806c51ed93932fa466a56949d2f', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805199dced9c8a46fb22abb46bd', 'register', 'pending.test', 'test', 1, 'processing', NULL, 1250000, 1250000, '', 0, 0, 1400000, NULL, '', '', 'registry_pending', 'The registry decides.', NULL, '2026-11-26 13:21:57.155529+00', '2026-11-26 13:23:46.590652+00', NULL, NULL, NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x011c9481af91f0dfa07b112875641f87518b8e3c013d1694f3f7c964c74309db985d49cd914711af0d8a1796ff654f33690bafaac1', 'ZWD98E780C882D94', NULL, NULL, '2026-11-26 14:23:46.590652+00'),
	('ord_01a21806c51e218e8865ae4a7e42baf9', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805199dced9c8a46fb22abb46bd', 'register', 'checking.test', 'test', 1, 'processing', NULL, 1250000, 1250000, '', 0, 0, 1400000, NULL, '', '', 'checking', 'Whether the registry did it is being found out.', NULL, '2026-11-26 13:21:57.155529+00', '2026-11-26 13:23:46.590652+00', NULL, NULL, NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x011c9481af91f0dfa07b112875641f87518b8e3c013d1694f3f7c964c74309db985d49cd914711af0d8a1796ff654f33690bafaac1', 'ZWD98E780C882D94', NULL, NULL, '2026-11-26 13:24:46.590652+00'),
	('ord_01a21806c51e94cbd456306667f26d27', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805199dced9c8a46fb22abb46bd', 'register', 'stuck.test', 'test', 1, 'processing', NULL, 1250000, 1250000, '', 0, 0, 1400000, NULL, '', 'The registry did not answer.', 'action_required', 'An operator looks into it.', NULL, '2026-11-26 13:21:57.155529+00', '2026-11-26 13:23:46.590652+00', NULL, NULL, NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x011c9481af91f0dfa07b112875641f87518b8e3c013d1694f3f7c964c74309db985d49cd914711af0d8a1796ff654f33690bafaac1', 'ZWD98E780C882D94', NULL, NULL, NULL),
	('ord_01a21806c51e741e2585ff22a78881d0', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805199dced9c8a46fb22abb46bd', 'register', 'refunding.test', 'test', 1, 'failed', NULL, 1250000, 1250000, '', 0, 0, 1400000, NULL, '', 'The registry refused it (2306).', 'refunding', 'The money is being returned.', NULL, '2026-11-26 13:21:57.155529+00', '2026-11-26 13:23:46.590652+00', '2026-11-26 13:23:46.590652+00', NULL, NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x011c9481af91f0dfa07b112875641f87518b8e3c013d1694f3f7c964c74309db985d49cd914711af0d8a1796ff654f33690bafaac1', 'ZWD98E780C882D94', NULL, NULL, '2026-11-26 13:23:46.590652+00'),
	('ord_01a21806c51e6193133643c615a1d675', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805199dced9c8a46fb22abb46bd', 'transfer', 'moving.test', 'test', 1, 'processing', NULL, 1250000, 1250000, '', 0, 0, 1400000, NULL, '', '', 'registry_pending', 'The other registrar has been asked.', NULL, '2026-11-26 13:21:57.155529+00', '2026-11-26 13:23:46.590652+00', NULL, NULL, NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x011c9481af91f0dfa07b112875641f87518b8e3c013d1694f3f7c964c74309db985d49cd914711af0d8a1796ff654f33690bafaac1', 'ZWD98E780C882D94', NULL, NULL, '2026-11-26 19:23:46.590652+00'),
	('ord_01a21806c51e57af8291d018a3543abb', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805199dced9c8a46fb22abb46bd', 'register', 'expired.test', 'test', 1, 'cancelled', 'expiry', 1250000, 0, '', 0, 0, 1400000, NULL, '', '', NULL, '', NULL, '2026-11-26 13:21:57.155529+00', NULL, '2026-11-26 13:23:46.590652+00', NULL, NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x011c9481af91f0dfa07b112875641f87518b8e3c013d1694f3f7c964c74309db985d49cd914711af0d8a1796ff654f33690bafaac1', 'ZWD98E780C882D94', NULL, NULL, NULL),
	('ord_01a21806c51e2634bd2a3de42b8ad37e', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805199dced9c8a46fb22abb46bd', 'register', 'refused.test', 'test', 1, 'cancelled', 'refusal', 1250000, 0, '', 0, 0, 1400000, NULL, '', 'The name is taken.', NULL, '', NULL, '2026-11-26 13:21:57.155529+00', NULL, '2026-11-26 13:23:46.590652+00', NULL, NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x011c9481af91f0dfa07b112875641f87518b8e3c013d1694f3f7c964c74309db985d49cd914711af0d8a1796ff654f33690bafaac1', 'ZWD98E780C882D94', NULL, NULL, NULL),
	('ord_01a21806c51e6a4aeb39103988eb21e9', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805199dced9c8a46fb22abb46bd', 'register', 'half-two.test', 'test', 1, 'pending_payment', NULL, 1250000, 0, 'HALF', 625000, 0, 1400000, NULL, '', '', 'awaiting_payment', 'The order waits for its payment.', NULL, '2026-11-26 13:21:57.155529+00', NULL, NULL, NULL, '2026-11-27 13:23:46.590652+00', '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x011c9481af91f0dfa07b112875641f87518b8e3c013d1694f3f7c964c74309db985d49cd914711af0d8a1796ff654f33690bafaac1', 'ZWD98E780C882D94', NULL, NULL, NULL),
	('ord_01a21806c51eacbe396a2757378a4733', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805199dced9c8a46fb22abb46bd', 'register', 'half-three.test', 'test', 1, 'cancelled', 'owner', 1250000, 0, 'HALF', 625000, 0, 1400000, NULL, '', '', NULL, '', NULL, '2026-11-26 13:21:57.155529+00', NULL, '2026-11-26 13:23:46.590652+00', NULL, NULL, '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x011c9481af91f0dfa07b112875641f87518b8e3c013d1694f3f7c964c74309db985d49cd914711af0d8a1796ff654f33690bafaac1', 'ZWD98E780C882D94', NULL, NULL, NULL),
	('ord_01a21806c51e73d9e14ff29902b7cdaf', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'key_01a2180469576042a399eb45bbd1cf3f', 'req_01a21805199dced9c8a46fb22abb46bd', 'register', 'half-one.test', 'test', 1, 'pending_payment', NULL, 1250000, 1000, 'HALF', 625000, 0, 1400000, NULL, '', '', 'awaiting_payment', 'The order waits for its payment.', NULL, '2026-11-26 13:21:57.155529+00', NULL, NULL, NULL, '2026-11-27 13:23:46.590652+00', '{"id": "con_01a21804701fbdbc1f4dd4eb3c94e16e", "city": "Lagos", "name": "Ada Obi", "email": "ada@example.net", "extra": {}, "phone": "+2348031234567", "state": "LA", "country": "NG", "address1": "12 Broad Street", "address2": "", "createdAt": "2026-11-26T13:21:13.760Z", "updatedAt": "2026-11-26T13:21:13.760Z", "postalCode": "101221", "organization": ""}', false, '{ns1.zonewright.test,ns2.zonewright.test}', '\x011c9481af91f0dfa07b112875641f87518b8e3c013d1694f3f7c964c74309db985d49cd914711af0d8a1796ff654f33690bafaac1', 'ZWD98E780C882D94', NULL, NULL, NULL);
INSERT INTO public.pay_links VALUES
	('ord_01a21804a2ae570f4b7849e86a37df9b', '\x7fb2c248be02d5dcbb1d5a2d3d1b6940794e778a59af6c91dfa9de00e3459716', '\x0129944b6b797b1816d440a72d993fefd4360b387a25489d97fbd714a2d3e1aec997b2824487041f8e9ae606526b25aeb5c2fc8a74d5ae62df7499af4a', '2026-11-26 13:21:57.126482+00', '2026-12-03 13:21:57.126482+00');
INSERT INTO public.payments VALUES
	('pay_01a218049e0ccedae20ff43300a88ef0', 'pay-01a218049e0ccedae20ff43300a88ef0', 'ord_01a218049df1972175c096ed352c8b31', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo@zonewright.test', 1250000, 'succeeded', 'order', 1250000, 'http://127.0.0.1:17764/checkout/pay-01a218049e0ccedae20ff43300a88ef0', NULL, NULL, NULL, 0, NULL, NULL, '2026-11-26 13:21:25.516686+00', NULL, NULL),
	('pay_01a21804a2d71e501af3d30753426ab7', 'pay-01a21804a2d71e501af3d30753426ab7', 'ord_01a21804a2ae570f4b7849e86a37df9b', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo@zonewright.test', 937500, 'failed', NULL, NULL, 'http://127.0.0.1:17764/checkout/pay-01a21804a2d71e501af3d30753426ab7', NULL, NULL, NULL, 1, '2026-11-26 13:21:56.891796+00', '2026-11-26 13:21:56.891796+00', '2026-11-26 13:21:26.743765+00', '2026-11-26 13:22:56.891796+00', NULL),
	('pay_01a218051a7859ee840b9ff1665cdc58', 'pay-01a218051a7859ee840b9ff1665cdc58', 'ord_01a218051a15b626406767836ebb613c', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo@zonewright.test', 1250000, 'succeeded', 'order', 1250000, 'http://127.0.0.1:17764/checkout/pay-01a218051a7859ee840b9ff1665cdc58', 'processed', '1004', '2026-11-26 13:21:57.430699+00', 1, NULL, NULL, '2026-11-26 13:21:57.368667+00', NULL, NULL),
	('pay_01a218053081bfab3794c2d68735f954', 'pay-01a218053081bfab3794c2d68735f954', 'ord_01a21805307204fed1a5b49df80a2867', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo@zonewright.test', 1250000, 'succeeded', 'order', 1250000, 'http://127.0.0.1:17764/checkout/pay-01a218053081bfab3794c2d68735f954', 'failed', '1006', '2026-11-26 13:22:03.12543+00', 1, NULL, NULL, '2026-11-26 13:22:03.01+00', NULL, NULL),
	('pay_01a21806c53cd44542142cb3820d00cc', 'zw-open', 'ord_01a2180519d1952214cb233e837bdd17', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo@zonewright.test', 1250000, 'open', NULL, NULL, 'http://127.0.0.1:17764/checkout/pay-01a218049e0ccedae20ff43300a88ef0', NULL, NULL, NULL, 0, NULL, NULL, '2026-11-26 13:21:25.516686+00', '2026-11-26 13:24:46.620591+00', NULL),
	('pay_01a21806c53cbc65e5de7cd2ddb42cf2', 'zw-surplus', 'ord_01a2180519d1952214cb233e837bdd17', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo@zonewright.test', 1250000, 'succeeded', 'surplus', 1250000, 'http://127.0.0.1:17764/checkout/pay-01a218049e0ccedae20ff43300a88ef0', NULL, NULL, NULL, 0, NULL, NULL, '2026-11-26 13:21:25.516686+00', NULL, NULL),
	('pay_01a21806c53c89a168fad1f7d3ba8c10', 'zw-wanted', 'ord_01a2180519d1952214cb233e837bdd17', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo@zonewright.test', 1250000, 'succeeded', 'surplus', 1250000, 'http://127.0.0.1:17764/checkout/pay-01a218049e0ccedae20ff43300a88ef0', 'wanted', NULL, '2026-11-26 13:23:46.620591+00', 0, NULL, NULL, '2026-11-26 13:21:25.516686+00', '2026-11-26 13:24:46.620591+00', NULL),
	('pay_01a21806c53ce25834ad344d95c2bad1', 'zw-posted-it', 'ord_01a2180519d1952214cb233e837bdd17', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo@zonewright.test', 1250000, 'succeeded', 'surplus', 1250000, 'http://127.0.0.1:17764/checkout/pay-01a218049e0ccedae20ff43300a88ef0', 'posted', '29', '2026-11-26 13:23:46.620591+00', 0, NULL, NULL, '2026-11-26 13:21:25.516686+00', '2026-11-26 13:24:46.620591+00', NULL),
	('pay_01a21806c53ceb109986f69ab147d9fc', 'zw-processed-it', 'ord_01a2180519d1952214cb233e837bdd17', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo@zonewright.test', 1250000, 'succeeded', 'surplus', 1250000, 'http://127.0.0.1:17764/checkout/pay-01a218049e0ccedae20ff43300a88ef0', 'processed', '212', '2026-11-26 13:23:46.620591+00', 0, NULL, NULL, '2026-11-26 13:21:25.516686+00', NULL, NULL),
	('pay_01a21806c53cf9d0e90bab8418611825', 'zw-failed-twice', 'ord_01a2180519d1952214cb233e837bdd17', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo@zonewright.test', 1250000, 'succeeded', 'surplus', 1250000, 'http://127.0.0.1:17764/checkout/pay-01a218049e0ccedae20ff43300a88ef0', 'failed', '212', '2026-11-26 13:23:46.620591+00', 0, NULL, NULL, '2026-11-26 13:21:25.516686+00', NULL, NULL),
	('pay_01a21806c53c4bf084c36f0f3959dc72', 'zw-needs-attention', 'ord_01a2180519d1952214cb233e837bdd17', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'demo@zonewright.test', 1250000, 'succeeded', 'surplus', 1250000, 'http://127.0.0.1:17764/checkout/pay-01a218049e0ccedae20ff43300a88ef0', 'needs_attention', '215', '2026-11-26 13:23:46.620591+00', 0, NULL, NULL, '2026-11-26 13:21:25.516686+00', NULL, NULL);
INSERT INTO public.promo_codes VALUES
	('HALF', 50, NULL, NULL, NULL, NULL, '2026-11-26 13:21:16.225302+00', NULL, NULL, false, NULL, '2026-11-26 13:21:16.225302+00'),
	('ONCE', 25, NULL, NULL, NULL, NULL, '2026-11-26 13:21:17.485714+00', NULL, NULL, true, NULL, '2026-11-26 13:21:17.485714+00'),
	('FIXED-2026', NULL, 100000, '{register,renew}', '{test}', '2fef3432-cf37-4976-8cdd-5634d21d4922', '2026-11-26 13:23:46.62018+00', '2027-11-26 13:23:46.62018+00', 10, false, '2026-11-26 13:23:46.62018+00', '2026-11-26 13:23:46.62018+00');
INSERT INTO public.promo_uses VALUES
	('ord_01a218049f071dc166e3f806179a1506', 'HALF', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'consumed', '2026-11-26 13:21:25.774021+00', '2026-11-26 13:21:25.883418+00'),
	('ord_01a21804a2ae570f4b7849e86a37df9b', 'ONCE', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'reserved', '2026-11-26 13:21:26.712535+00', NULL),
	('ord_01a21806c51e73d9e14ff29902b7cdaf', 'HALF', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'reserved', '2026-11-26 13:23:46.61818+00', NULL),
	('ord_01a21806c51e6a4aeb39103988eb21e9', 'HALF', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'reserved', '2026-11-26 13:23:46.61818+00', NULL),
	('ord_01a21806c51eacbe396a2757378a4733', 'HALF', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'freed', '2026-11-26 13:23:46.61818+00', '2026-11-26 13:23:46.590652+00');
INSERT INTO public.quotes VALUES
	('quo_01a218049dda4b86087bfc1bd8a0f155', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'register', 'card-shop.test', 'test', 1, true, false, 1250000, '', 0, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-26 13:21:25.467534+00', '2026-11-26 13:51:25.467534+00'),
	('quo_01a218049ee236198a2f6cc99d42a000', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'register', 'credit-shop.test', 'test', 1, true, false, 1250000, 'HALF', 625000, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-26 13:21:25.731019+00', '2026-11-26 13:51:25.731019+00'),
	('quo_01a21804a29b8bdb57cb20e8a5cbf5d6', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'register', 'declined.test', 'test', 1, true, false, 1250000, 'ONCE', 312500, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-26 13:21:26.683965+00', '2026-11-26 13:51:26.683965+00'),
	('quo_01a21805199827183d798861b02ce467', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'register', 'unpaid.test', 'test', 5, true, false, 6250000, '', 0, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-26 13:21:57.145158+00', '2026-11-26 13:51:57.145158+00'),
	('quo_01a2180519b81f7e4cb47d772360f06f', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'register', 'cancelled.test', 'test', 1, true, false, 1250000, '', 0, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-26 13:21:57.176734+00', '2026-11-26 13:51:57.176734+00'),
	('quo_01a218051a042e31bc67505a767b2cb4', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'register', 'taken-later.test', 'test', 1, true, false, 1250000, '', 0, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-26 13:21:57.252619+00', '2026-11-26 13:51:57.252619+00'),
	('quo_01a2180530676521c7426f7c5e445a91', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'register', 'taken-too.test', 'test', 1, true, false, 1250000, '', 0, 1400000, NULL, NULL, '{"contact": true, "auth_code": false, "contact_fields": []}', '2026-11-26 13:22:02.984794+00', '2026-11-26 13:52:02.984794+00'),
	('quo_01a218054869500286c6a5ce033c6e55', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'transfer', 'theirs.test', 'test', 1, true, false, 1250000, '', 0, 1400000, NULL, NULL, '{"contact": false, "auth_code": true, "contact_fields": []}', '2026-11-26 13:22:09.129792+00', '2026-11-26 13:52:09.129792+00'),
	('quo_01a2180548bb4c00215750dded8fc6ac', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'renew', 'card-shop.test', 'test', 1, true, false, 1400000, '', 0, 1400000, NULL, '2027-11-26 13:21:25.653+00', '{"contact": false, "auth_code": false, "contact_fields": []}', '2026-11-26 13:22:09.212222+00', '2026-11-26 13:52:09.212222+00');
INSERT INTO public.registry_operations OVERRIDING SYSTEM VALUE VALUES
	(1, 'ord_01a218049df1972175c096ed352c8b31', 'contact', 1, 'ZW-30bc4e1cd87c9e5768396fad', 'done', '2026-11-26 13:21:25.629542+00', '2026-11-26 13:21:25.641981+00', NULL, 1000, 'Command completed successfully'),
	(2, 'ord_01a218049df1972175c096ed352c8b31', 'create', 1, 'ZW-f15cd10aacf64ba839e6adb3', 'done', '2026-11-26 13:21:25.643371+00', '2026-11-26 13:21:25.659638+00', NULL, 1000, 'Command completed successfully'),
	(3, 'ord_01a218049f071dc166e3f806179a1506', 'contact', 1, 'ZW-f25e817010dde9aac126e4b5', 'done', '2026-11-26 13:21:25.846446+00', '2026-11-26 13:21:25.860016+00', NULL, 1000, 'Command completed successfully'),
	(4, 'ord_01a218049f071dc166e3f806179a1506', 'create', 1, 'ZW-38276812b1805add891a4925', 'done', '2026-11-26 13:21:25.864835+00', '2026-11-26 13:21:25.87432+00', NULL, 1000, 'Command completed successfully'),
	(5, 'ord_01a2180519a2c8a645d0cf5e1d640c03', 'contact', 1, 'ZW-2adf481652ca2b08fc570f00', 'done', '2026-11-26 13:21:57.166327+00', '2026-11-26 13:21:57.1841+00', NULL, 1000, 'Command completed successfully'),
	(6, 'ord_01a2180519a2c8a645d0cf5e1d640c03', 'create', 1, 'ZW-2f97b4d3d263f29f7b4399e5', 'done', '2026-11-26 13:21:57.190459+00', '2026-11-26 13:21:57.21762+00', NULL, 1000, 'Command completed successfully'),
	(7, 'ord_01a218051a15b626406767836ebb613c', 'contact', 1, 'ZW-ae3f7e573d46194ba2eaf520', 'done', '2026-11-26 13:21:57.401447+00', '2026-11-26 13:21:57.408507+00', NULL, 1000, 'Command completed successfully'),
	(8, 'ord_01a218051a15b626406767836ebb613c', 'create', 1, 'ZW-07aadcb10c63e13b90c37f21', 'refused', '2026-11-26 13:21:57.410232+00', '2026-11-26 13:21:57.428098+00', NULL, 2302, 'Object exists: taken-later.test is registered'),
	(9, 'ord_01a21805307204fed1a5b49df80a2867', 'contact', 1, 'ZW-3d30ae120eb8041f72e601c2', 'done', '2026-11-26 13:22:03.065373+00', '2026-11-26 13:22:03.070456+00', NULL, 1000, 'Command completed successfully'),
	(10, 'ord_01a21805307204fed1a5b49df80a2867', 'create', 1, 'ZW-c5a315d6c67a1ad2370288cd', 'refused', '2026-11-26 13:22:03.07084+00', '2026-11-26 13:22:03.107714+00', NULL, 2302, 'Object exists: taken-too.test is registered'),
	(11, 'ord_01a2180548705cdfd3df14500427d026', 'transfer', 1, 'ZW-81ed20e542d5f9666a30f748', 'done', '2026-11-26 13:22:09.150442+00', '2026-11-26 13:22:09.172979+00', NULL, 1001, 'Command completed successfully; action pending'),
	(12, 'ord_01a2180548c4d1cc182fd2df8d135b12', 'renew', 1, 'ZW-7e4e6762b3a6f49a04bd4bb6', 'done', '2026-11-26 13:22:09.228088+00', '2026-11-26 13:22:09.232975+00', NULL, 1000, 'Command completed successfully'),
	(13, 'ord_01a21806c51ec888272f7d2177d3490b', 'contact', 1, 'ZW-5a9d1fe512334be8a9e355ac', 'done', '2026-11-26 13:23:46.628216+00', '2026-11-26 13:23:46.628216+00', NULL, 1000, 'Command completed successfully'),
	(14, 'ord_01a21806c51ec888272f7d2177d3490b', 'create', 1, 'ZW-2cbc99ba7ca444f6a3a929ea', 'not_done', '2026-11-26 13:23:46.628216+00', '2026-11-26 13:23:46.628216+00', '2026-11-26 13:23:46.628216+00', NULL, ''),
	(15, 'ord_01a21806c51ec888272f7d2177d3490b', 'create', 2, 'ZW-6a1f018f668f46bda6cb1605', 'sending', '2026-11-26 13:23:46.628216+00', NULL, NULL, NULL, ''),
	(16, 'ord_01a21806c51e218e8865ae4a7e42baf9', 'create', 1, 'ZW-9d109cdb403c4584b622963d', 'unknown', '2026-11-26 13:23:46.628216+00', NULL, '2026-11-26 13:23:46.628216+00', NULL, ''),
	(17, 'ord_01a21806c51ed93932fa466a56949d2f', 'create', 1, 'ZW-c49e849daeb04167919e7edc', 'pending', '2026-11-26 13:23:46.628216+00', NULL, NULL, 1001, 'Command completed successfully; action pending'),
	(18, 'ord_01a21806c51e741e2585ff22a78881d0', 'create', 1, 'ZW-d8c05913c6174d75a86593bd', 'refused', '2026-11-26 13:23:46.628216+00', '2026-11-26 13:23:46.628216+00', NULL, 2306, 'Parameter value policy error'),
	(19, 'ord_01a21806c51e6193133643c615a1d675', 'transfer', 1, 'ZW-5bb2e274b69e48be870a76ef', 'pending', '2026-11-26 13:23:46.628216+00', NULL, NULL, 1001, 'Command completed successfully; action pending'),
	(20, 'ord_01a21806c51e94cbd456306667f26d27', 'create', 1, 'ZW-6af424f0c7e64389bcec3204', 'unknown', '2026-11-26 13:23:46.628216+00', NULL, '2026-11-26 13:23:46.628216+00', NULL, ''),
	(21, 'ord_01a2180548c4d1cc182fd2df8d135b12', 'renew', 1, 'ZW-942db59c6007429588613f1f', 'done', '2026-11-26 13:23:46.628216+00', '2026-11-26 13:23:46.628216+00', NULL, 1000, 'Command completed successfully');
INSERT INTO public.schema_migrations VALUES
	('0001-foundations.sql', 'c36c4434854b00071f318ab2667eb22ebe46cfbf669472c6e288a32be6662290', false, '2026-11-26 13:21:04.02481+00'),
	('0002-zones.sql', 'a0608d2278582f54988db738cf57a3eb2c30fded3e175978acaa767a7e507d48', false, '2026-11-26 13:21:04.070533+00'),
	('0003-publication.sql', 'b41051933a6f3e3edfa31be955869f7c5e72d127683f0a03875666869074367c', false, '2026-11-26 13:21:04.106928+00'),
	('0004-events.sql', '894e68eafe181041fb7cdd59b3473c1ea723546f3194fc734269a1732c935696', false, '2026-11-26 13:21:04.118327+00'),
	('0005-webhooks.sql', '34b9b1ed77a34b389f18c67c3706eb6b66f00d65bca873ba6f7e712b61675102', false, '2026-11-26 13:21:04.129027+00'),
	('0006-mail.sql', '1a613aee5b57cd823b3d3c6bdecfb947cc0c969f5f24569d2646d58d783b4827', false, '2026-11-26 13:21:04.143477+00'),
	('0008-delegation.sql', 'f881d82422eb7b4e64290358f65e239c4994ddf2026bd35ed97c95d238e443c4', false, '2026-11-26 13:21:04.147305+00'),
	('0009-zone-life.sql', '3a823ee62e325cffc4b2f818adf5d1d4e7fb95dcd2f1a41b53190012976071b1', false, '2026-11-26 13:21:04.151962+00'),
	('0010-former-nameservers.sql', '821ea9c5d7536eec3fbdce51bfc65e5285865243cf36cde0857cc54bf5cd94d9', false, '2026-11-26 13:21:04.164876+00'),
	('0011-billing.sql', '817316671e519638e7208198d7a7106deea5dbd8107523343595b0e0abcda365', false, '2026-11-26 13:21:04.169482+00'),
	('0012-contacts.sql', '1222db498409ddb7cfb58f2d819c58c223be44fb3bb5d01ea9e0e7dcc568968e', false, '2026-11-26 13:21:04.181271+00'),
	('0013-orders.sql', '36cce33de4cc71e43575d9312ec5236ef2b58c743afafb462de4cb0787e24863', false, '2026-11-26 13:21:04.185067+00'),
	('0014-domains.sql', '72e9384859500606d44c863e5a3b1074ac687a725520d4d826e09d91d52b0c88', false, '2026-11-26 13:21:04.199567+00'),
	('0015-payments.sql', 'a9f923822bfc00f525d8e83234ac392c22120f21f0b6b74693e3edcfaf732ddd', false, '2026-11-26 13:21:04.217318+00');
INSERT INTO public.webhook_attempts_20261126 VALUES
	('2026-11-26', 'dlv_01a218048b0b30af57cd237cb1a0cd04', 1, false, '2026-11-26 13:21:20.827+00', 59, 200, NULL, '{"Content-Type":"application/json","User-Agent":"Service-Webhooks/1 (+http://127.0.0.1:26527)","Service-Event-Id":"evt_01a218048b0b270b9476306e6ec85279","Service-Event-Type":"zone.records_changed","Service-Signature":"t=1795699280,v1=822057b694c4ed290784d554c120ad42fc28fd225515f69c04c45cbbfd607c5a","webhook-id":"evt_01a218048b0b270b9476306e6ec85279","webhook-timestamp":"1795699280","webhook-signature":"v1,MxVo5GReROtDLEjBeC/iN6UhwfKVQCF9P/f8nWolJVM="}', '{"content-type":"text/plain; charset=utf-8","date":"Thu, 26 Nov 2026 13:21:20 GMT","connection":"keep-alive","keep-alive":"timeout=30","transfer-encoding":"chunked"}', 'verified
'),
	('2026-11-26', 'dlv_01a218048d3e258adc73788da3c2da27', 1, false, '2026-11-26 13:21:21.291+00', 3, 200, NULL, '{"Content-Type":"application/json","User-Agent":"Service-Webhooks/1 (+http://127.0.0.1:26527)","Service-Event-Id":"evt_01a218048d3edf19ebd5cd2a397f247d","Service-Event-Type":"ping","Service-Signature":"t=1795699281,v1=1955c29c200b1769bcc3b9d56d2ba1feadf44e142982cd16c48930642740b8b7","webhook-id":"evt_01a218048d3edf19ebd5cd2a397f247d","webhook-timestamp":"1795699281","webhook-signature":"v1,eDJuvPN1bhKuqbDst8njekSPhPn++Lun+M/qs3pSy5M="}', '{"content-type":"text/plain; charset=utf-8","date":"Thu, 26 Nov 2026 13:21:21 GMT","connection":"keep-alive","keep-alive":"timeout=30","transfer-encoding":"chunked"}', 'verified
'),
	('2026-11-26', 'dlv_01a218046df9b3519ced0647514083ab', 1, false, '2026-11-26 13:21:13.241+00', 34, NULL, 'timeout', '{"Content-Type":"application/json","User-Agent":"Service-Webhooks/1 (+http://127.0.0.1:26527)","Service-Event-Id":"evt_01a218046df9f09580402cd7bcdccee6","Service-Event-Type":"zone.created","Service-Signature":"t=1795699273,v1=351fa174303da5069e963cb77f3fcf41978a4eff7116c70516e3601062656f16","webhook-id":"evt_01a218046df9f09580402cd7bcdccee6","webhook-timestamp":"1795699273","webhook-signature":"v1,hUNrLtKZlhur/lxMocn5yN95uWTOTl08Nu6VY5QCQGk="}', NULL, NULL),
	('2026-11-26', 'dlv_01a218048e7d2762b5ca90f8f100a4b8', 1, false, '2026-11-26 13:21:21.559+00', 18, 400, 'status', '{"Content-Type":"application/json","User-Agent":"Service-Webhooks/1 (+http://127.0.0.1:26527)","Service-Event-Id":"evt_01a218048e7dadf921153ce03eb1ca1e","Service-Event-Type":"zone.created","Service-Signature":"t=1795699281,v1=be3e339f01a27225cd6f48a2ecea5bf8f853cc3a34032d7651fc25de58895bff","webhook-id":"evt_01a218048e7dadf921153ce03eb1ca1e","webhook-timestamp":"1795699281","webhook-signature":"v1,QCzwvL5qTaO7pXmQNnOYYJ5XL+dH9f4TKDueZJmpBA4="}', '{"content-type":"text/plain; charset=utf-8","date":"Thu, 26 Nov 2026 13:21:21 GMT","connection":"keep-alive","keep-alive":"timeout=30","transfer-encoding":"chunked"}', 'the signature does not match
'),
	('2026-11-26', 'dlv_01a21804937f880c95e336cac59c2720', 1, false, '2026-11-26 13:21:22.832+00', 5, 400, 'status', '{"Content-Type":"application/json","User-Agent":"Service-Webhooks/1 (+http://127.0.0.1:26527)","Service-Event-Id":"evt_01a21804937f8ba4ec159fbec3b751ad","Service-Event-Type":"zone.created","Service-Signature":"t=1795699282,v1=67a54b340e404eccede17a5a6061686036a9cb56747deeef24f157770d810b56","webhook-id":"evt_01a21804937f8ba4ec159fbec3b751ad","webhook-timestamp":"1795699282","webhook-signature":"v1,QyYcwby6TOByONSFDdcuz2YeMzdVEwhHCCQE0ebo0z0="}', '{"content-type":"text/plain; charset=utf-8","date":"Thu, 26 Nov 2026 13:21:22 GMT","connection":"keep-alive","keep-alive":"timeout=30","transfer-encoding":"chunked"}', 'the signature does not match
'),
	('2026-11-26', 'dlv_01a218049eb71f3c3ac70dd932029767', 1, false, '2026-11-26 13:21:25.72+00', 15, 200, NULL, '{"Content-Type":"application/json","User-Agent":"Service-Webhooks/1 (+http://127.0.0.1:26527)","Service-Event-Id":"evt_01a218049eb71131db6ac2be05cb21b6","Service-Event-Type":"order.completed","Service-Signature":"t=1795699285,v1=03bbed507eba2044c4979621b573ebee87f32eff96ad187d1e7e4dab2c1665fd","webhook-id":"evt_01a218049eb71131db6ac2be05cb21b6","webhook-timestamp":"1795699285","webhook-signature":"v1,LFBspCjYO0kuOdQ6kbKM61lgATe1hTOJlLeaBforV64="}', '{"content-type":"text/plain; charset=utf-8","date":"Thu, 26 Nov 2026 13:21:25 GMT","connection":"keep-alive","keep-alive":"timeout=30","transfer-encoding":"chunked"}', 'verified
');
INSERT INTO public.webhook_deliveries_20261126 VALUES
	('2026-11-26', 'dlv_01a218046df9b3519ced0647514083ab', 'whe_01a218046d6214db6b9acad9e107f68b', 'evt_01a218046df9f09580402cd7bcdccee6', 'zone.created', 1, 'succeeded', 200, 1, 1, '2026-11-26 13:21:13.227582+00', '2026-11-26 13:21:13.291472+00'),
	('2026-11-26', 'dlv_01a218048b0b30af57cd237cb1a0cd04', 'whe_01a218046d6214db6b9acad9e107f68b', 'evt_01a218048b0b270b9476306e6ec85279', 'zone.records_changed', 3, 'succeeded', 200, 1, 1, '2026-11-26 13:21:20.731758+00', '2026-11-26 13:21:20.975939+00'),
	('2026-11-26', 'dlv_01a218048d3e258adc73788da3c2da27', 'whe_01a218046d6214db6b9acad9e107f68b', 'evt_01a218048d3edf19ebd5cd2a397f247d', 'ping', 11, 'succeeded', 200, 1, 1, '2026-11-26 13:21:21.224612+00', '2026-11-26 13:21:21.299988+00'),
	('2026-11-26', 'dlv_01a2180493b8851a300d284596b9b510', 'whe_01a218048dc7fae895503b1ecca00111', 'evt_01a2180493b8b8008d963f6476b9c550', 'zone.deleted', 17, 'pending', 400, 1, 1, '2026-11-26 13:21:22.900024+00', NULL),
	('2026-11-26', 'dlv_01a2180493b8cc110e4c382a672f8190', 'whe_01a218046d6214db6b9acad9e107f68b', 'evt_01a2180493b8b8008d963f6476b9c550', 'zone.deleted', 17, 'succeeded', 200, 1, 1, '2026-11-26 13:21:22.900024+00', '2026-11-26 13:21:22.924618+00'),
	('2026-11-26', 'dlv_01a218049e74de7e8ac7c04380c548bc', 'whe_01a218046d6214db6b9acad9e107f68b', 'evt_01a218049e7455b64a5b99d9c00f27a0', 'order.paid', 18, 'succeeded', 200, 1, 1, '2026-11-26 13:21:25.630434+00', '2026-11-26 13:21:25.665668+00'),
	('2026-11-26', 'dlv_01a218049eb71f3c3ac70dd932029767', 'whe_01a218046d6214db6b9acad9e107f68b', 'evt_01a218049eb71131db6ac2be05cb21b6', 'order.completed', 19, 'succeeded', 200, 1, 1, '2026-11-26 13:21:25.692869+00', '2026-11-26 13:21:25.768683+00'),
	('2026-11-26', 'dlv_01a218049f9a29076cf3010cbd9d9e12', 'whe_01a218048dc7fae895503b1ecca00111', 'evt_01a218049f9a9684d4e398bdeb8cfae4', 'zone.delegation_changed', 22, 'pending', 400, 1, 1, '2026-11-26 13:21:25.935194+00', NULL),
	('2026-11-26', 'dlv_01a218049f9a127d97275c6374cc12b4', 'whe_01a218046d6214db6b9acad9e107f68b', 'evt_01a218049f9a9684d4e398bdeb8cfae4', 'zone.delegation_changed', 22, 'succeeded', 200, 1, 1, '2026-11-26 13:21:25.935194+00', '2026-11-26 13:21:25.982156+00'),
	('2026-11-26', 'dlv_01a2180519e4ca6568e03fc1f2ccbfd5', 'whe_01a218046d6214db6b9acad9e107f68b', 'evt_01a2180519e478db8c4e9f568f8a3743', 'order.cancelled', 26, 'succeeded', 200, 1, 1, '2026-11-26 13:21:57.232451+00', '2026-11-26 13:21:57.24462+00'),
	('2026-11-26', 'dlv_01a218051ab788803173458beda70d9c', 'whe_01a218046d6214db6b9acad9e107f68b', 'evt_01a218051ab7d6ed0098fd22fb6138b0', 'order.failed', 30, 'succeeded', 200, 1, 1, '2026-11-26 13:21:57.436455+00', '2026-11-26 13:21:57.452027+00'),
	('2026-11-26', 'dlv_01a218048e7d2762b5ca90f8f100a4b8', 'whe_01a218048dc7fae895503b1ecca00111', 'evt_01a218048e7dadf921153ce03eb1ca1e', 'zone.created', 13, 'failed', 500, 1, 1, '2026-11-26 13:21:21.544317+00', '2026-11-26 13:23:46.650716+00'),
	('2026-11-26', 'dlv_01a2180530152ad2cde7e015990fbe67', 'whe_01a218046d6214db6b9acad9e107f68b', 'evt_01a2180530152306774d375dcc092d2d', 'order.refunded', 32, 'succeeded', 200, 1, 1, '2026-11-26 13:22:02.905518+00', '2026-11-26 13:22:02.912819+00'),
	('2026-11-26', 'dlv_01a2180547922e7ae2f78a5fa579b1a4', 'whe_01a218046d6214db6b9acad9e107f68b', 'evt_01a2180547929d02137c31e5928d0b56', 'order.credited', 35, 'succeeded', 200, 1, 1, '2026-11-26 13:22:08.919588+00', '2026-11-26 13:22:08.927082+00'),
	('2026-11-26', 'dlv_01a21804937f880c95e336cac59c2720', 'whe_01a218048dc7fae895503b1ecca00111', 'evt_01a21804937f8ba4ec159fbec3b751ad', 'zone.created', 14, 'skipped', NULL, 1, 1, '2026-11-26 13:21:22.830395+00', '2026-11-26 13:23:46.650716+00');
INSERT INTO public.webhook_endpoints VALUES
	('whe_01a218046d6214db6b9acad9e107f68b', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'https://127.0.0.1:17982/hooks/demo', NULL, 'The sandbox receiver', '{"\\x014fa5eba4a19b473d640a8b651910715fd367f2d5c05cd09dac0d73258acbcad04d084576748fc6a1126ed8315d13594b8e6aba89d7b49d5b204709725cfb9b8a095a7417711abce5a099"}', '{NULL}', 'enabled', NULL, NULL, '2026-11-26 13:21:13.060467+00'),
	('whe_01a218048dc7fae895503b1ecca00111', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'https://127.0.0.1:17982/hooks/demo?second', '{zone.*}', '', '{"\\x01f00a55cd154bed8f1b12382e18d55f0031abbb37066ed1b3b2316b77b1af9f95bd3ea252edca779c32d22b501b76d2740af17ddc2ec89c7e97240b80a04f8b4872812ce0916350c9b684"}', '{NULL}', 'enabled', NULL, NULL, '2026-11-26 13:21:21.353182+00'),
	('whk_01a21806c5587fddef8ff5341a0dfdea', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'https://127.0.0.1:17982/hooks/demo', NULL, 'turned off', '{"\\x014fa5eba4a19b473d640a8b651910715fd367f2d5c05cd09dac0d73258acbcad04d084576748fc6a1126ed8315d13594b8e6aba89d7b49d5b204709725cfb9b8a095a7417711abce5a099"}', '{NULL}', 'disabled', '2026-11-26 13:23:46.648186+00', 'failing', '2026-11-26 13:21:13.060467+00');
INSERT INTO public.webhook_lanes VALUES
	('whe_01a218048dc7fae895503b1ecca00111', '2026-11-26 13:22:21.606782+00', NULL, 31, true, '2026-11-26 13:21:21.6123+00'),
	('whe_01a218046d6214db6b9acad9e107f68b', NULL, NULL, 39, false, NULL);
INSERT INTO public.webhook_queue VALUES
	('whe_01a218048dc7fae895503b1ecca00111', 13, '2026-11-26', 'dlv_01a218048e7d2762b5ca90f8f100a4b8', 'evt_01a218048e7dadf921153ce03eb1ca1e', 'zone.created', 1, '2026-11-26 13:22:21.606782+00', false, NULL),
	('whe_01a218048dc7fae895503b1ecca00111', 17, '2026-11-26', 'dlv_01a2180493b8851a300d284596b9b510', 'evt_01a2180493b8b8008d963f6476b9c550', 'zone.deleted', 1, '2026-11-26 13:22:22.915455+00', false, NULL),
	('whe_01a218048dc7fae895503b1ecca00111', 22, '2026-11-26', 'dlv_01a218049f9a29076cf3010cbd9d9e12', 'evt_01a218049f9a9684d4e398bdeb8cfae4', 'zone.delegation_changed', 1, '2026-11-26 13:22:25.960982+00', false, NULL);
INSERT INTO public.zone_changes VALUES
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 1, 1795699280, '2026-11-26 13:21:20.519+00', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 1, '[{"name":"example.test","type":"A","before":null,"after":{"ttl":60,"records":["192.0.2.1"]}}]'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 2, 1795699281, '2026-11-26 13:21:20.556+00', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 1, '[{"name":"www.example.test","type":"CNAME","before":null,"after":{"ttl":60,"records":["example.test."]}}]'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 3, 1795699282, '2026-11-26 13:21:20.583+00', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 1, '[{"name":"example.test","type":"MX","before":null,"after":{"ttl":60,"records":["10 mail.example.net."]}}]'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 4, 1795699283, '2026-11-26 13:21:20.612+00', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 1, '[{"name":"txt.example.test","type":"TXT","before":null,"after":{"ttl":60,"records":["\"it works\" \"b\\195\\188cher\""]}}]'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 5, 1795699284, '2026-11-26 13:21:20.663+00', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 1, '[{"name":"_sip._tcp.example.test","type":"SRV","before":null,"after":{"ttl":60,"records":["0 5 5060 sip.example.net."]}}]'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 6, 1795699285, '2026-11-26 13:21:20.967+00', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 1, '[{"name":"ftp.example.test","type":"A","before":null,"after":{"ttl":300,"records":["192.0.2.9"]}}]'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 7, 1795699286, '2026-11-26 13:21:21.043+00', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 1, '[{"name":"ftp.example.test","type":"A","before":{"ttl":300,"records":["192.0.2.9"]},"after":null}]'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 8, 1795699287, '2026-11-26 13:21:21.122+00', 'key', 'demo', 'key_01a2180469576042a399eb45bbd1cf3f', 4, '[{"name":"example.test","type":"MX","before":{"ttl":60,"records":["10 mail.example.net."]},"after":{"ttl":3600,"records":["0 ."]}},{"name":"example.test","type":"TXT","before":null,"after":{"ttl":3600,"records":["\"v=spf1 -all\""]}},{"name":"*._domainkey.example.test","type":"TXT","before":null,"after":{"ttl":3600,"records":["\"v=DKIM1; p=\""]}},{"name":"_dmarc.example.test","type":"TXT","before":null,"after":{"ttl":3600,"records":["\"v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s\""]}}]'),
	('4a034feb-44f7-4fcb-9201-c4288f3a1b4e', 1, 1795699281, '2026-11-26 13:21:21.445+00', 'system', 'free subdomains', NULL, 1, '[{"name":"petals.free.example.net","type":"NS","before":null,"after":{"ttl":3600,"records":["ns1.zonewright.test.","ns2.zonewright.test."],"managed":true}}]');
INSERT INTO public.zone_contests VALUES
	('ac30d942-25b5-4198-9ec1-ee797fb363a9', 'b35b43e4-2736-4bcd-ac57-75fcf48f0691', '2026-11-26 13:23:46.637056+00', '2026-11-29 13:23:46.637056+00', '2026-11-26 13:23:46.637056+00');
INSERT INTO public.zone_delegations VALUES
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 'waiting', '2026-11-26 13:21:11.973861+00', NULL, NULL, '{}', '{}', NULL, NULL, NULL, '2026-11-26 13:21:13.176633+00', '2026-11-26 13:21:13.176633+00', '2026-11-26 13:26:25.003471+00', 1),
	('4a034feb-44f7-4fcb-9201-c4288f3a1b4e', 'waiting', '2026-11-26 13:21:20.434452+00', NULL, NULL, '{}', '{}', NULL, NULL, 'no_parent', NULL, '2026-11-26 13:21:21.16334+00', '2026-11-26 13:26:24.532124+00', 1),
	('cd6ea2ea-b1f9-4b4f-aac9-6efce504b4b0', 'waiting', '2026-11-26 13:21:21.378914+00', NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, 0),
	('e537b0b4-824d-488a-8891-171e1e1b7c0f', 'waiting', '2026-11-26 13:21:21.438331+00', NULL, NULL, '{}', '{}', NULL, NULL, 'no_parent', NULL, '2026-11-26 13:21:22.018173+00', '2026-11-26 13:26:46.634939+00', 1),
	('bf4d04d0-7930-4903-bf71-d5ab87822728', 'waiting', '2026-11-26 13:21:22.749853+00', NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, 0),
	('038b061c-4d04-4c23-b154-54b9e38f44dd', 'live', '2026-11-26 13:21:25.912574+00', NULL, NULL, '{ns1.zonewright.test,ns2.zonewright.test}', '{ns1.zonewright.test,ns2.zonewright.test}', '2027-11-26 13:21:25.653+00', '2026-11-26 13:21:25.912574+00', NULL, '2026-11-26 13:21:25.912574+00', '2026-11-26 13:21:25.912574+00', '2026-11-26 19:34:23.852579+00', 1),
	('f996805d-471f-47c6-a7d4-f64d31e56d4c', 'waiting', '2026-11-26 13:21:25.910485+00', NULL, NULL, '{ns1.example.net,ns2.example.net}', '{}', NULL, NULL, NULL, '2026-11-26 13:21:26.88999+00', '2026-11-26 13:21:26.88999+00', '2026-11-26 13:26:45.382571+00', 2),
	('aedcf807-6958-4359-8e64-3e44c94bb4ee', 'live', '2026-11-26 13:21:57.911329+00', NULL, NULL, '{ns1.zonewright.test,ns2.zonewright.test}', '{ns1.zonewright.test,ns2.zonewright.test}', '2031-11-26 13:21:57.21+00', '2026-11-26 13:21:57.911329+00', NULL, '2026-11-26 13:21:57.911329+00', '2026-11-26 13:21:57.911329+00', '2026-11-26 19:51:36.933672+00', 1),
	('b35b43e4-2736-4bcd-ac57-75fcf48f0691', 'waiting', '2026-11-26 13:23:46.635048+00', NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, 0),
	('0ebd0ea5-6b53-431f-8199-13d24ef2adcd', 'waiting', '2026-11-26 13:23:46.641229+00', NULL, NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, 0),
	('ac30d942-25b5-4198-9ec1-ee797fb363a9', 'lost', '2026-11-26 13:21:22.764241+00', 'missing', '2026-11-26 13:23:46.641638+00', '{}', '{}', NULL, NULL, NULL, '2026-11-26 13:23:46.641638+00', '2026-11-26 13:21:22.898913+00', '2026-11-26 13:26:38.52432+00', 1),
	('3f84f814-55f9-4f5b-8b8d-7a02e9dc1899', 'partial', '2026-11-26 13:21:22.758026+00', NULL, NULL, '{}', '{}', NULL, NULL, NULL, '2026-11-26 13:23:46.641638+00', '2026-11-26 13:21:22.898913+00', '2026-11-26 13:26:27.445497+00', 1),
	('a5d639a8-313a-4dfa-82ff-c2a3e0c3adf6', 'missing', '2026-11-26 13:23:46.6402+00', NULL, NULL, '{}', '{}', NULL, NULL, 'timeout', '2026-11-26 13:23:46.641638+00', NULL, '2026-11-26 13:23:46.6402+00', 0);
INSERT INTO public.zone_invitations VALUES
	('inv_01a2180499dd5b007e2165e29dfa7674', 'ac30d942-25b5-4198-9ec1-ee797fb363a9', 'invited@example.net', 'demo@zonewright.test', '2026-11-26 13:21:24.448517+00', '2026-12-10 13:21:24.448517+00');
INSERT INTO public.zone_journal VALUES
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 1795699271, 1795699280, '[]', '[{"name":"example.test","type":"A","ttl":60,"records":["192.0.2.1"]}]', 40, '2026-11-26 13:21:20.541189+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 1795699280, 1795699281, '[]', '[{"name":"www.example.test","type":"CNAME","ttl":60,"records":["example.test."]}]', 44, '2026-11-26 13:21:20.563253+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 1795699281, 1795699282, '[]', '[{"name":"example.test","type":"MX","ttl":60,"records":["10 mail.example.net."]}]', 45, '2026-11-26 13:21:20.589543+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 1795699282, 1795699283, '[]', '[{"name":"txt.example.test","type":"TXT","ttl":60,"records":["\"it works\" \"b\\195\\188cher\""]}]', 55, '2026-11-26 13:21:20.624513+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 1795699283, 1795699284, '[]', '[{"name":"_sip._tcp.example.test","type":"SRV","ttl":60,"records":["0 5 5060 sip.example.net."]}]', 60, '2026-11-26 13:21:20.73897+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 1795699284, 1795699285, '[]', '[{"name":"ftp.example.test","type":"A","ttl":300,"records":["192.0.2.9"]}]', 44, '2026-11-26 13:21:20.986208+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 1795699285, 1795699286, '[{"name":"ftp.example.test","type":"A","ttl":300,"records":["192.0.2.9"]}]', '[]', 44, '2026-11-26 13:21:21.062607+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 1795699286, 1795699287, '[{"name":"example.test","type":"MX","ttl":60,"records":["10 mail.example.net."]}]', '[{"name":"example.test","type":"MX","ttl":3600,"records":["0 ."]},{"name":"example.test","type":"TXT","ttl":3600,"records":["\"v=spf1 -all\""]},{"name":"*._domainkey.example.test","type":"TXT","ttl":3600,"records":["\"v=DKIM1; p=\""]},{"name":"_dmarc.example.test","type":"TXT","ttl":3600,"records":["\"v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s\""]}]', 258, '2026-11-26 13:21:21.138865+00'),
	('4a034feb-44f7-4fcb-9201-c4288f3a1b4e', 1795699280, 1795699281, '[]', '[{"name":"petals.free.example.net","type":"NS","ttl":3600,"records":["ns1.zonewright.test.","ns2.zonewright.test."]}]', 89, '2026-11-26 13:21:21.449068+00');
INSERT INTO public.zone_managers VALUES
	('ac30d942-25b5-4198-9ec1-ee797fb363a9', '96761603-c567-4e2d-9dfe-86cc27812161', '2026-11-26 13:21:24.430975+00');
INSERT INTO public.zone_moves OVERRIDING SYSTEM VALUE VALUES
	(11, 'a5d639a8-313a-4dfa-82ff-c2a3e0c3adf6', 'proved.example', 'z_01a21806c550726245eccdab50e62266', true),
	(12, '0ebd0ea5-6b53-431f-8199-13d24ef2adcd', 'lost.example', 'z_01a21806c551278d8a14507a6bbbf586', false);
INSERT INTO public.zone_rrsets VALUES
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 'example.test', 'A', 60, '{192.0.2.1}', false, '2026-11-26 13:21:20.519+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 'www.example.test', 'CNAME', 60, '{example.test.}', false, '2026-11-26 13:21:20.556+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 'txt.example.test', 'TXT', 60, '{"\"it works\" \"b\\195\\188cher\""}', false, '2026-11-26 13:21:20.612+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', '_sip._tcp.example.test', 'SRV', 60, '{"0 5 5060 sip.example.net."}', false, '2026-11-26 13:21:20.663+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 'example.test', 'MX', 3600, '{"0 ."}', false, '2026-11-26 13:21:21.122+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 'example.test', 'TXT', 3600, '{"\"v=spf1 -all\""}', false, '2026-11-26 13:21:21.122+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', '*._domainkey.example.test', 'TXT', 3600, '{"\"v=DKIM1; p=\""}', false, '2026-11-26 13:21:21.122+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', '_dmarc.example.test', 'TXT', 3600, '{"\"v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s\""}', false, '2026-11-26 13:21:21.122+00'),
	('4a034feb-44f7-4fcb-9201-c4288f3a1b4e', 'petals.free.example.net', 'NS', 3600, '{ns1.zonewright.test.,ns2.zonewright.test.}', true, '2026-11-26 13:21:21.445+00');
INSERT INTO public.zone_serials VALUES
	('erased.example', 41);
INSERT INTO public.zone_sightings VALUES
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 'ns1.zonewright.test', 1795699287, '2026-11-26 13:21:21.177708+00'),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 'ns2.zonewright.test', 1795699287, '2026-11-26 13:21:21.177708+00'),
	('4a034feb-44f7-4fcb-9201-c4288f3a1b4e', 'ns1.zonewright.test', 1795699281, '2026-11-26 13:21:21.477772+00'),
	('4a034feb-44f7-4fcb-9201-c4288f3a1b4e', 'ns2.zonewright.test', 1795699281, '2026-11-26 13:21:21.477772+00'),
	('e537b0b4-824d-488a-8891-171e1e1b7c0f', 'ns2.zonewright.test', 1795699281, '2026-11-26 13:21:21.506281+00'),
	('e537b0b4-824d-488a-8891-171e1e1b7c0f', 'ns1.zonewright.test', 1795699281, '2026-11-26 13:21:21.526702+00'),
	('3f84f814-55f9-4f5b-8b8d-7a02e9dc1899', 'ns1.zonewright.test', 1795699282, '2026-11-26 13:21:22.814105+00'),
	('3f84f814-55f9-4f5b-8b8d-7a02e9dc1899', 'ns2.zonewright.test', 1795699282, '2026-11-26 13:21:22.814105+00'),
	('ac30d942-25b5-4198-9ec1-ee797fb363a9', 'ns1.zonewright.test', 1795699282, '2026-11-26 13:21:22.820643+00'),
	('ac30d942-25b5-4198-9ec1-ee797fb363a9', 'ns2.zonewright.test', 1795699282, '2026-11-26 13:21:22.820643+00'),
	('038b061c-4d04-4c23-b154-54b9e38f44dd', 'ns1.zonewright.test', 1795699285, '2026-11-26 13:21:25.777536+00'),
	('038b061c-4d04-4c23-b154-54b9e38f44dd', 'ns2.zonewright.test', 1795699285, '2026-11-26 13:21:25.794763+00'),
	('f996805d-471f-47c6-a7d4-f64d31e56d4c', 'ns1.zonewright.test', 1795699285, '2026-11-26 13:21:25.986426+00'),
	('f996805d-471f-47c6-a7d4-f64d31e56d4c', 'ns2.zonewright.test', 1795699285, '2026-11-26 13:21:25.986426+00'),
	('aedcf807-6958-4359-8e64-3e44c94bb4ee', 'ns1.zonewright.test', 1795699317, '2026-11-26 13:21:57.295853+00'),
	('aedcf807-6958-4359-8e64-3e44c94bb4ee', 'ns2.zonewright.test', 1795699317, '2026-11-26 13:21:57.295853+00');
INSERT INTO public.zone_verifications VALUES
	('cd6ea2ea-b1f9-4b4f-aac9-6efce504b4b0', '2963b4da14fde2f3ded7c453e15825e2', '2026-11-26 13:21:21.381011+00', '2026-11-26 13:22:21.381011+00', 0, '2026-11-26 13:21:21.408601+00', 'absent'),
	('b35b43e4-2736-4bcd-ac57-75fcf48f0691', 'zonewright-verification-377d22503a59474594f64c83e4bf5e30', '2026-11-26 13:23:46.636332+00', '2026-11-26 13:23:46.636332+00', 2, '2026-11-26 13:23:46.636332+00', 'absent'),
	('3f84f814-55f9-4f5b-8b8d-7a02e9dc1899', 'zonewright-verification-02c8d35fc3b24d2f8a604c7b9a2f5837', '2026-11-26 13:23:46.640919+00', NULL, 5, '2026-11-26 13:23:46.640919+00', 'unknown'),
	('a5d639a8-313a-4dfa-82ff-c2a3e0c3adf6', 'zonewright-verification-8312107062f34edda70a9325d05df312', '2026-11-26 13:23:46.640919+00', NULL, 5, '2026-11-26 13:23:46.640919+00', 'refused');
INSERT INTO public.zones VALUES
	('cd6ea2ea-b1f9-4b4f-aac9-6efce504b4b0', 'pending-zone.test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'pending', 'added', 0, 1795699281, 0, 0, 'd9005c1350e4eabaab37', NULL, false, 10000, '2026-11-26 13:21:21.378914+00', NULL, NULL, NULL),
	('e537b0b4-824d-488a-8891-171e1e1b7c0f', 'petals.free.example.net', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'live', 'claimed', 0, 1795699281, 0, 0, 'a1b38f66aefa01d11704', '4a034feb-44f7-4fcb-9201-c4288f3a1b4e', false, 10000, '2026-11-26 13:21:21.438331+00', '2026-11-26 13:21:21.438331+00', NULL, NULL),
	('038b061c-4d04-4c23-b154-54b9e38f44dd', 'card-shop.test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'live', 'bought', 0, 1795699285, 0, 0, '89fa720efdac5b765d64', NULL, false, 10000, '2026-11-26 13:21:25.681218+00', '2026-11-26 13:21:25.681218+00', NULL, NULL),
	('4a034feb-44f7-4fcb-9201-c4288f3a1b4e', 'free.example.net', '01a158e5-c8f1-4d80-b4a2-7486e73aeb7b', 'live', 'added', 1, 1795699281, 1, 89, '6326828050bed3663003', NULL, true, NULL, '2026-11-26 13:21:20.434452+00', '2026-11-26 13:21:20.434452+00', NULL, NULL),
	('3f84f814-55f9-4f5b-8b8d-7a02e9dc1899', 'released.example', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'live', 'added', 0, 1795699282, 0, 0, 'ca0c9cc72cafa68408f0', NULL, true, 10000, '2026-11-26 13:21:22.758026+00', '2026-11-26 13:21:22.758026+00', NULL, NULL),
	('bf4d04d0-7930-4903-bf71-d5ab87822728', 'deleted.example', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'deleted', 'added', 0, 1795699282, 0, 0, 'b5a31b13fdf9df72f3be', NULL, true, 10000, '2026-11-26 13:21:22.749853+00', '2026-11-26 13:21:22.749853+00', '2026-11-26 13:21:22.852328+00', NULL),
	('d589385e-e09d-46b4-ade5-af60fe2dc736', 'example.test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'live', 'added', 8, 1795699287, 8, 412, 'b2384f6e35866bfaa4d8', NULL, true, 10000, '2026-11-26 13:21:11.973861+00', '2026-11-26 13:21:11.973861+00', NULL, NULL),
	('ac30d942-25b5-4198-9ec1-ee797fb363a9', 'shared.example', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'live', 'added', 0, 1795699282, 0, 0, '6a903181a2cbfc96fa00', NULL, true, 10000, '2026-11-26 13:21:22.764241+00', '2026-11-26 13:21:22.764241+00', NULL, NULL),
	('f996805d-471f-47c6-a7d4-f64d31e56d4c', 'credit-shop.test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'live', 'bought', 0, 1795699285, 0, 0, '12b26132aee047cd371f', NULL, false, 10000, '2026-11-26 13:21:25.910485+00', '2026-11-26 13:21:25.910485+00', NULL, NULL),
	('aedcf807-6958-4359-8e64-3e44c94bb4ee', 'unpaid.test', '2fef3432-cf37-4976-8cdd-5634d21d4922', 'live', 'bought', 0, 1795699317, 0, 0, '5930744a7cb2c050fa6e', NULL, false, 10000, '2026-11-26 13:21:57.228521+00', '2026-11-26 13:21:57.228521+00', NULL, NULL),
	('b35b43e4-2736-4bcd-ac57-75fcf48f0691', 'shared.example', '96761603-c567-4e2d-9dfe-86cc27812161', 'pending', 'added', 0, 1, 0, 0, 'z_01a21806c54bad8090c37754d70a6290', NULL, false, 10000, '2026-11-26 13:23:46.635048+00', NULL, NULL, NULL),
	('a5d639a8-313a-4dfa-82ff-c2a3e0c3adf6', 'proved.example', '01a158e5-c8f1-4d80-b4a2-7486e73aeb7b', 'live', 'verified', 0, 4294967295, 0, 0, 'z_01a21806c550726245eccdab50e62266', NULL, false, 10000, '2026-11-26 13:23:46.6402+00', '2026-11-26 13:23:46.6402+00', NULL, NULL),
	('0ebd0ea5-6b53-431f-8199-13d24ef2adcd', 'lost.example', '01a158e5-c8f1-4d80-b4a2-7486e73aeb7b', 'deleted', 'added', 0, 7, 0, 0, 'z_01a21806c551278d8a14507a6bbbf586', NULL, false, NULL, '2026-11-26 13:23:46.641229+00', NULL, '2026-11-26 13:23:46.641229+00', '2026-11-26 13:23:46.641229+00');
SELECT pg_catalog.setval('public.audit_log_id_seq', 80, true);
SELECT pg_catalog.setval('public.domain_acts_id_seq', 9, true);
SELECT pg_catalog.setval('public.domain_operations_id_seq', 9, true);
SELECT pg_catalog.setval('public.domains_id_seq', 6, true);
SELECT pg_catalog.setval('public.event_outbox_seq_seq', 43, true);
SELECT pg_catalog.setval('public.event_positions', 39, true);
SELECT pg_catalog.setval('public.ledger_entries_id_seq', 24, true);
SELECT pg_catalog.setval('public.registry_operations_id_seq', 21, true);
SELECT pg_catalog.setval('public.zone_moves_id_seq', 12, true);
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
ALTER TABLE ONLY public.account_credentials
    ADD CONSTRAINT account_credentials_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account_sessions
    ADD CONSTRAINT account_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account_sessions
    ADD CONSTRAINT account_sessions_token_key UNIQUE (token);
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
ALTER TABLE ONLY public.domain_operations
    ADD CONSTRAINT domain_operations_cl_trid_key UNIQUE (cl_trid);
ALTER TABLE ONLY public.domain_operations
    ADD CONSTRAINT domain_operations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.event_outbox
    ADD CONSTRAINT event_outbox_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (event_day, id);
ALTER TABLE ONLY public.events_20261126
    ADD CONSTRAINT events_20261126_pkey PRIMARY KEY (event_day, id);
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
ALTER TABLE ONLY public.registry_operations
    ADD CONSTRAINT registry_operations_cl_trid_key UNIQUE (cl_trid);
ALTER TABLE ONLY public.registry_operations
    ADD CONSTRAINT registry_operations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (event_day, delivery_id, number);
ALTER TABLE ONLY public.webhook_attempts_20261126
    ADD CONSTRAINT webhook_attempts_20261126_pkey PRIMARY KEY (event_day, delivery_id, number);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_id_event_id_event_day_key UNIQUE (endpoint_id, event_id, event_day);
ALTER TABLE ONLY public.webhook_deliveries_20261126
    ADD CONSTRAINT webhook_deliveries_20261126_endpoint_id_event_id_event_day_key UNIQUE (endpoint_id, event_id, event_day);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (event_day, id);
ALTER TABLE ONLY public.webhook_deliveries_20261126
    ADD CONSTRAINT webhook_deliveries_20261126_pkey PRIMARY KEY (event_day, id);
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
CREATE INDEX account_sessions_account ON public.account_sessions USING btree (account_id);
CREATE INDEX account_tries_age ON public.account_tries USING btree (began_at);
CREATE UNIQUE INDEX account_two_factors_account ON public.account_two_factors USING btree (account_id);
CREATE INDEX account_verifications_age ON public.account_verifications USING btree (expires_at);
CREATE INDEX account_verifications_identifier ON public.account_verifications USING btree (identifier);
CREATE INDEX accounts_held ON public.accounts USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL));
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
CREATE INDEX domain_operations_act ON public.domain_operations USING btree (act_id, id);
CREATE UNIQUE INDEX domain_operations_open ON public.domain_operations USING btree (act_id) WHERE (state = ANY (ARRAY['sending'::text, 'unknown'::text, 'pending'::text]));
CREATE INDEX domains_account ON public.domains USING btree (account_id, name) WHERE (state <> 'gone'::text);
CREATE INDEX domains_expiry ON public.domains USING btree (expires_at) WHERE (state = 'held'::text);
CREATE UNIQUE INDEX domains_name ON public.domains USING btree (name) WHERE (state <> 'gone'::text);
CREATE INDEX domains_sync ON public.domains USING btree (sync_at) WHERE (sync_at IS NOT NULL);
CREATE INDEX event_outbox_everywhere ON public.event_outbox USING btree (zone_id) WHERE (held = 'everywhere'::text);
CREATE INDEX event_outbox_held ON public.event_outbox USING btree (zone_id, seq) WHERE (held IS NOT NULL);
CREATE INDEX event_outbox_overdue ON public.event_outbox USING btree (held_since) WHERE (held = 'serial'::text);
CREATE INDEX event_outbox_released ON public.event_outbox USING btree (created_at, seq) WHERE (held IS NULL);
CREATE INDEX event_outbox_turns ON public.event_outbox USING btree (zone_id, seq) WHERE (held = 'turn'::text);
CREATE INDEX events_recipient ON ONLY public.events USING btree ((recipients[1]), id);
CREATE INDEX events_20261126_recipients_id_idx ON public.events_20261126 USING btree ((recipients[1]), id);
CREATE INDEX events_shared ON ONLY public.events USING gin (recipients) WHERE (cardinality(recipients) > 1);
CREATE INDEX events_20261126_recipients_idx ON public.events_20261126 USING gin (recipients) WHERE (cardinality(recipients) > 1);
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
CREATE INDEX payments_attention ON public.payments USING btree (order_id) WHERE (refund_state = 'needs_attention'::text);
CREATE INDEX payments_order ON public.payments USING btree (order_id, created_at);
CREATE INDEX payments_step ON public.payments USING btree (step_at) WHERE (step_at IS NOT NULL);
CREATE INDEX promo_uses_code ON public.promo_uses USING btree (code, account_id) WHERE (state <> 'freed'::text);
CREATE INDEX quotes_age ON public.quotes USING btree (created_at);
CREATE UNIQUE INDEX registry_operations_open ON public.registry_operations USING btree (order_id) WHERE (state = ANY (ARRAY['sending'::text, 'unknown'::text]));
CREATE INDEX registry_operations_order ON public.registry_operations USING btree (order_id, id);
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
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261126_pkey;
ALTER INDEX public.events_recipient ATTACH PARTITION public.events_20261126_recipients_id_idx;
ALTER INDEX public.events_shared ATTACH PARTITION public.events_20261126_recipients_idx;
ALTER INDEX public.webhook_attempts_pkey ATTACH PARTITION public.webhook_attempts_20261126_pkey;
ALTER INDEX public.webhook_deliveries_endpoint_id_event_id_event_day_key ATTACH PARTITION public.webhook_deliveries_20261126_endpoint_id_event_id_event_day_key;
ALTER INDEX public.webhook_deliveries_pkey ATTACH PARTITION public.webhook_deliveries_20261126_pkey;
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
ALTER TABLE ONLY public.account_credentials
    ADD CONSTRAINT account_credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.account_sessions
    ADD CONSTRAINT account_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.account_two_factors
    ADD CONSTRAINT account_two_factors_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);
ALTER TABLE ONLY public.account_used_codes
    ADD CONSTRAINT account_used_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);
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
ALTER TABLE ONLY public.domain_operations
    ADD CONSTRAINT domain_operations_act_id_fkey FOREIGN KEY (act_id) REFERENCES public.domain_acts(id);
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
ALTER TABLE ONLY public.registry_operations
    ADD CONSTRAINT registry_operations_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id);
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
