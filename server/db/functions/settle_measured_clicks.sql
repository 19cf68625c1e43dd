-- Adds the given clicks that have passed all rules by now to the figures. This includes clicks beyond the daily ceiling
-- of a new publisher. They are not billed, but still show whether this publisher's clicks land. The caller has locked
-- the rows.
--
-- `landed_now`: clicks among the figures whose landing has arrived now. The landings of creatives are written here only,
-- in one statement and one order, so that two callers cannot deadlock.
create or replace function settle_measured_clicks(decision_ids bytea[], landed_now bytea[] default '{}')
returns void language sql as $$
  with settled as (
    update measured_clicks c set counted = true, creative = e.creative
      from ad_events e
      where c.decision_id = any (decision_ids) and c.counted is null
        and e.issued_on = c.issued_on and e.decision_id = c.decision_id and e.kind = 'click'
        and (e.reason is null or e.reason = 'ceiling')
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
$$;
