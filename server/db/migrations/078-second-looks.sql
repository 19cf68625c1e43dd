-- expand
-- Since when an approved target leads elsewhere, as far as the looks at it know. Only a second look, minutes after the first,
-- pauses the ad (docs/decisions/053-targets.md).
set local lock_timeout = '500ms';

alter table target_checks add column elsewhere_since timestamptz;
alter table ad_variants add column elsewhere_since timestamptz;
