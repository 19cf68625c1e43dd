-- Removes clicks from the hours in which they were 'not_rendered', because their proof has arrived. count_events has
-- added them to the hour of the proof. A row with no click left is deleted. Only count_events writes these rows, and it
-- holds the lock on their ads.
create or replace function move_waiting_clicks(hours timestamptz[], ad_ids integer[], zone_ids integer[])
returns void
language plpgsql
as $$
begin
  with moved as (
    select hour, ad_id, zone_id, count(*) as n
      from unnest(hours, ad_ids, zone_ids) as m (hour, ad_id, zone_id)
      group by hour, ad_id, zone_id
  ), emptied as (
    delete from delivery_hourly d using moved m
      where d.ad_id = m.ad_id and d.kind = 'click' and d.reason = 'not_rendered' and d.hour = m.hour
        and d.zone_id = m.zone_id and d.n <= m.n
  )
  update delivery_hourly d set n = d.n - m.n
    from moved m
    where d.ad_id = m.ad_id and d.kind = 'click' and d.reason = 'not_rendered' and d.hour = m.hour
      and d.zone_id = m.zone_id and d.n > m.n;
end
$$;
