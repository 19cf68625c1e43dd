-- expand
-- Migration 061 added this constraint without reading the table, which it locked.
set local lock_timeout = '500ms';

alter table security_events validate constraint security_events_kind_known;
