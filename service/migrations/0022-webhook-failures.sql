-- Why an attempt failed, as one sentence, and whether its request was sent twice because a kept connection broke. A delivery shows the failure of
-- its latest attempt.
alter table webhook_attempts add column failure_detail text, add column resent boolean not null default false;
alter table webhook_deliveries add column last_failure text, add column last_failure_detail text;
select leave_unanalysed('webhook_attempts', 'failure_detail', 'resent');
select leave_unanalysed('webhook_deliveries', 'last_failure', 'last_failure_detail');

-- The failing time of an endpoint: since `failing_since` attempts of real events have failed and nothing has succeeded. It is counted from the first
-- failed attempt of `failing_event`, and from the first one of any other event. Failing times begun before this migration have no event: they may be
-- those of a test or a resend, and begin anew.
alter table webhook_lanes add column failing_event text, add column failing_other_since timestamptz, add column warned_at timestamptz;
update webhook_lanes set failing_since = null where failing_since is not null;
