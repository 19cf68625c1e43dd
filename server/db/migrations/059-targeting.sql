-- expand
-- Where and to whom an ad is shown, and whom an ad zone excludes (docs/decisions/103-targeting.md). The shape of both is that
-- of domain/targeting/limits.ts. Null: everybody, and nobody.
set local lock_timeout = '500ms';

alter table ads add column targeting jsonb;
alter table ad_zones add column excludes jsonb;
