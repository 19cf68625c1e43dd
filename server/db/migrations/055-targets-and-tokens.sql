-- An ad that was approved before targets had to be public is on hold if its target is not (docs/decisions/053-targets.md).
alter table ads
  drop constraint ads_target_held_for_known,
  add constraint ads_target_held_for_known check (target_held_for in ('changed', 'listed', 'not_public'));

-- A UUID has 122 random bits. The verification token of a new website has at least 128 (OWASP ASVS 5.0, 11.2.3).
alter table websites alter column verification_token
  set default left(translate(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 40);
