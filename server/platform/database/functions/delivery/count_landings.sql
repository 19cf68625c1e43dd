-- Records clicks that left with a token, and their landings, given as parallel arrays. Returns the decisions that landed
-- now. Each landing counts once, in whatever order and however often the click and the landing arrive. All callers lock
-- the clicks in the order of their ids, so they cannot deadlock.
create or replace function count_landings(
  counting_at timestamptz, decision_ids bytea[], issued_ms float8[], ad_ids integer[], zone_ids integer[],
  clicked_ms float8[], landed boolean[])
returns setof bytea language plpgsql as $$
declare
  landed_now bytea[];
  -- Those of them whose click had been counted before.
  known_now bytea[];
begin
  with written as (
    insert into measured_clicks as c (decision_id, issued_on, ad_id, zone_id, clicked_at, landed_at)
      select g.id, (to_timestamp(min(g.issued) / 1000) at time zone 'utc')::date, min(g.ad), min(g.zone),
          to_timestamp(min(g.clicked) / 1000), case when bool_or(g.lands) then counting_at end
        from unnest(decision_ids, issued_ms, ad_ids, zone_ids, clicked_ms, landed) as g (id, issued, ad, zone, clicked, lands)
        group by g.id
        order by g.id
      on conflict (decision_id) do update set landed_at = excluded.landed_at
        where c.landed_at is null and excluded.landed_at is not null
      returning c.decision_id, c.landed_at, c.counted
  )
  select array_agg(w.decision_id), array_agg(w.decision_id) filter (where w.counted)
    into landed_now, known_now
    from written w
    where w.landed_at is not null;

  insert into landing_hours as h (ad_id, hour, zone_id, clicks, landings)
    select c.ad_id, date_trunc('hour', c.clicked_at, 'utc'), c.zone_id, count(*), count(*)
      from measured_clicks c
      where c.decision_id = any (known_now)
      group by 1, 2, 3
      order by 1, 2, 3
    -- These clicks are in their row already.
    on conflict (ad_id, hour, zone_id) do update set landings = h.landings + excluded.landings;

  perform settle_measured_clicks(decision_ids, coalesce(known_now, '{}'));
  return query select unnest(landed_now);
end
$$;
