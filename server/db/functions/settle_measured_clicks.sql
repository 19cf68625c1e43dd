-- Adds the given clicks that have passed all rules by now to the figures. This includes clicks beyond the daily ceiling
-- of a new publisher. They are not billed, but still show whether this publisher's clicks land. The caller has locked
-- the rows.
create or replace function settle_measured_clicks(decision_ids bytea[]) returns void language sql as $$
  with settled as (
    update measured_clicks c set counted = true
      where c.decision_id = any (decision_ids) and c.counted is null
        and exists (
          select from ad_events e
            where e.issued_on = c.issued_on and e.decision_id = c.decision_id and e.kind = 'click'
            and (e.reason is null or e.reason = 'ceiling'))
      returning c.ad_id, c.zone_id, c.clicked_at, c.landed_at
  )
  insert into landing_hours as h (ad_id, hour, zone_id, clicks, landings)
    select ad_id, date_trunc('hour', clicked_at, 'utc'), zone_id, count(*), count(landed_at)
      from settled
      group by 1, 2, 3
      order by 1, 2, 3
    on conflict (ad_id, hour, zone_id) do update
      set clicks = h.clicks + excluded.clicks, landings = h.landings + excluded.landings;
$$;
