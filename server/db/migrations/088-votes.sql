-- expand
-- Published shares are those of networks' votes, which delivery_hourly counts beside the reports
-- (docs/decisions/135-published-shares.md), and the visitors that an ad zone excludes are none that it could have shown ads to
-- (docs/decisions/133-sold-days.md). The table is read while it is read and written to.

-- In steps
do $$
begin
  set local lock_timeout = '500ms';
  alter table delivery_hourly
    drop constraint delivery_hourly_kind_known,
    add constraint delivery_hourly_kind_known check (kind in (
      'decision', 'excluded', 'view', 'click', 'rendered', 'vote_rendered', 'vote_viewable', 'vote_judged')) not valid;
end $$;

do $$
begin
  -- A vacuum may be under way. Nobody else waits behind this step.
  set local lock_timeout = 0;
  alter table delivery_hourly validate constraint delivery_hourly_kind_known;
end $$;
