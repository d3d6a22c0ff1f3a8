-- Where each change came from: dashboard, api, preset, import, restore or system. Null in rows written before this migration, or by older
-- code beside it: the kind of their actor then tells what the source was.
alter table audit_log add column source text;
alter table zone_changes add column source text;
select leave_unanalysed('audit_log', 'source'), leave_unanalysed('zone_changes', 'source');
