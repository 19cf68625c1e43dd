-- An ad that was approved before targets had to be public is on hold if its target is not (docs/decisions/053-targets.md).
alter table ads
  drop constraint ads_target_held_for_known,
  add constraint ads_target_held_for_known check (target_held_for in ('changed', 'listed', 'not_public'));
