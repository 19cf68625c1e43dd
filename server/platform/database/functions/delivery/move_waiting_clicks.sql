-- Removes clicks from the hours in which they were 'not_rendered', because their proof has arrived. count_events has
-- added them to the hour of the proof. A row with no click left is deleted. Only count_events writes these rows, and it
-- holds the lock on their ads.
create or replace function move_waiting_clicks(hours timestamptz[], ad_ids integer[], zone_ids integer[])
returns void
language plpgsql
as $$
declare
  moved_hour timestamptz;
  moved_ad integer;
  moved_zone integer;
  moved bigint;
begin
  -- Row by row: joined with the list, the statement would choose its partitions while it runs
  -- (docs/decisions/124-read-before-locking.md).
  for moved_hour, moved_ad, moved_zone, moved in
    select m.hour, m.ad_id, m.zone_id, count(*)
      from unnest(hours, ad_ids, zone_ids) as m (hour, ad_id, zone_id)
      group by m.hour, m.ad_id, m.zone_id
      order by m.hour, m.ad_id, m.zone_id
  loop
    delete from delivery_hourly d
      where d.ad_id = moved_ad and d.kind = 'click' and d.reason = 'not_rendered' and d.hour = moved_hour
        and d.zone_id = moved_zone and d.n <= moved;
    update delivery_hourly d set n = d.n - moved
      where d.ad_id = moved_ad and d.kind = 'click' and d.reason = 'not_rendered' and d.hour = moved_hour
        and d.zone_id = moved_zone and d.n > moved;
  end loop;
end
$$;
