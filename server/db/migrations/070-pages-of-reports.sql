-- expand
-- On which page of the website a sampled page view was (docs/decisions/116-placement.md). Reports of the release before, and
-- those of very long paths, name none.
set local lock_timeout = '500ms';

alter table placement_reports add column path text;
