-- Moves the events of some blocks of a day's partition, each of 8 kB, to packed_events, and returns how many it moved
-- (docs/decisions/121-packed-events.md). first_kept_event_day() and all days after it stay as they are. One statement deletes
-- and inserts, so a reader of kept_events finds each event once, and a run may be stopped and repeated.
-- It runs with the rights of the owner. The role of the server cannot delete events (docs/decisions/060-two-database-roles.md).
create or replace function pack_events(day date, today date, first_block bigint, next_block bigint) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  partition text := 'ad_events_' || to_char(day, 'YYYYMMDD');
  began timestamptz := day::timestamp at time zone 'utc';
  moved bigint;
begin
  if day >= first_kept_event_day(today) or to_regclass(partition) is null then
    return 0;
  end if;
  if first_block = 0 then
    -- A vacuum would read all of what is dropped in a moment, and keep it from that.
    execute format('alter table %I set (autovacuum_enabled = false)', partition);
  end if;
  execute format(
    $move$
    with moved as (
      delete from %I where ctid >= $1 and ctid < $2 returning *
    ), packed as (
      insert into packed_events (issued_on, ad_id, zone_id, kind, reason, creative, decision_ids, issued_ms, counted_ms)
        select issued_on, ad_id, zone_id, kind, reason, creative, array_agg(decision_id),
            array_agg(floor(extract(epoch from issued_at - $3) * 1000)::integer),
            array_agg(floor(extract(epoch from counted_at - $3) * 1000)::integer)
          from moved
          group by issued_on, ad_id, zone_id, kind, reason, creative
    )
    select count(*) from moved
    $move$, partition)
    into moved using format('(%s,0)', first_block)::tid, format('(%s,0)', next_block)::tid, began;
  return moved;
exception
  -- Another server has dropped the partition meanwhile.
  when undefined_table then
    return 0;
end
$$;
