-- Adds the given clicks that have passed all rules by now to the figures. This includes clicks beyond the daily ceiling
-- of a new publisher. They are not billed, but still show whether this publisher's clicks land. The caller has locked
-- the rows.
--
-- `landed_now`: clicks among the figures whose landing has arrived now. The landings of creatives are written here only,
-- in one statement and one order, so that two callers cannot deadlock.
create or replace function settle_measured_clicks(decision_ids bytea[], landed_now bytea[] default '{}')
returns void language plpgsql as $$
declare
  passed bytea[];
  creatives smallint[];
begin
  -- The next statement changes rows, so it must not read a partitioned table (docs/decisions/124-read-before-locking.md).
  select array_agg(e.decision_id), array_agg(e.creative) into passed, creatives
    from measured_clicks c
    join ad_events e on e.issued_on = c.issued_on and e.decision_id = c.decision_id and e.kind = 'click'
      and (e.reason is null or e.reason = 'ceiling')
    where c.decision_id = any (decision_ids) and c.counted is null;
  with settled as (
    update measured_clicks c set counted = true, creative = g.creative
      from unnest(passed, creatives) as g (decision_id, creative)
      where c.decision_id = g.decision_id and c.counted is null
      returning c.ad_id, c.zone_id, c.clicked_at, c.landed_at, c.creative
  ), landings_of_creatives as (
    insert into creative_counts as n (ad_id, creative, kind, n)
      select ad_id, creative, 'landing', count(*)
        from (
          select ad_id, creative from settled where landed_at is not null
          union all
          select ad_id, creative from measured_clicks where decision_id = any (landed_now)) as landed
        where creative is not null
        group by 1, 2
        order by 1, 2
      on conflict (ad_id, creative, kind) do update set n = n.n + excluded.n
  )
  insert into landing_hours as h (ad_id, hour, zone_id, clicks, landings)
    select ad_id, date_trunc('hour', clicked_at, 'utc'), zone_id, count(*), count(landed_at)
      from settled
      group by 1, 2, 3
      order by 1, 2, 3
    on conflict (ad_id, hour, zone_id) do update
      set clicks = h.clicks + excluded.clicks, landings = h.landings + excluded.landings;
end
$$;
