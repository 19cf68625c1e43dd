-- Withdraws the counted events of a zone's hours that are not withdrawn yet. Returns the id of the adjustment, or null
-- if there are none. Hours whose withdrawal was overruled stay counted, so that they are not withdrawn again.
create or replace function withdraw_traffic(
  at timestamptz, zone integer, from_hour timestamptz, until_hour timestamptz, evidence jsonb)
returns integer language plpgsql as $$
declare
  adjustment integer;
begin
  perform assert_month_open(from_hour, at);
  -- The same order as in count_events, so that the two cannot deadlock.
  perform 1 from ads a
    where a.id in (
      select d.ad_id from delivery_hourly d
        where d.zone_id = zone and d.hour >= from_hour and d.hour < until_hour and d.reason = '' and d.kind in ('view', 'click'))
    order by a.id for no key update;
  adjustment := nextval(pg_get_serial_sequence('withdrawals', 'id'));
  insert into withdrawals (id, zone_id, from_hour, until_hour, made_at, signals) overriding system value
    values (adjustment, zone, from_hour, until_hour, at, evidence);
  insert into withdrawn_hours (withdrawal_id, hour, ad_id, kind, zone_id, n)
    select adjustment, d.hour, d.ad_id, d.kind, zone, d.n - coalesce(w.n, 0)
      from delivery_hourly d
      cross join lateral (
        select sum(h.n) as n, coalesce(bool_or(h.n < 0), false) as given_back
          from withdrawn_hours h
          where h.ad_id = d.ad_id and h.kind = d.kind and h.hour = d.hour and h.zone_id = zone) as w
      where d.zone_id = zone and d.hour >= from_hour and d.hour < until_hour
        and d.reason = '' and d.kind in ('view', 'click')
        and not w.given_back and d.n > coalesce(w.n, 0);
  if not found then
    -- A savepoint of the caller or this block would keep the case; the insert must leave no trace.
    raise exception 'nothing to withdraw' using errcode = 'no_data_found';
  end if;
  perform adjust_counters(adjustment, at);
  return adjustment;
exception
  when no_data_found then return null;
end
$$;
