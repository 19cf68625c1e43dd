-- Withdraws the events of a cluster in a zone's hours, as far as they are not withdrawn yet. Returns the id of the
-- adjustment, or null if there are none. Hours whose withdrawal was overruled stay counted, so that they are not
-- withdrawn again.
--
-- `max_views`, `max_clicks`: of each network, so many views and clicks of these hours stay, and no clicks of a network
-- with more views. What was withdrawn before is not among those that stay, so a network that comes daily has this number
-- each day. `of_browsers`, `of_delays`: only events with one of these browsers and one of these delays. Null means all;
-- if nothing is given, all events of the hours are withdrawn. The rows of traffic_clusters also hold events that were
-- beyond a goal or a ceiling, so a cluster takes its share of what was counted.
create or replace function withdraw_traffic(
  at timestamptz, zone integer, from_hour timestamptz, until_hour timestamptz, evidence jsonb,
  max_views integer default null, max_clicks integer default null, of_browsers integer[] default null, of_delays integer[] default null)
returns integer language plpgsql as $$
declare
  adjustment integer;
  -- Also events that have no row, because a server crashed before it wrote them.
  is_all boolean := max_views is null and of_browsers is null and of_delays is null;
begin
  perform assert_month_open(from_hour, at);
  -- The same order as in count_events, so that the two cannot deadlock. Two instances that withdraw the same cluster wait
  -- for each other here, and the second one finds it withdrawn.
  perform 1 from ads a
    where a.id in (
      select d.ad_id from counted_hours d
        where d.zone_id = zone and d.hour >= from_hour and d.hour < until_hour and d.kind in ('view', 'click'))
    order by a.id for no key update;
  with placed as (
    select c.*,
        sum(c.n - c.withdrawn) over (
          partition by c.network, c.kind order by c.hour, c.ad_id, c.browser, c.delay
          rows between unbounded preceding and current row) as left_until_now,
        sum(c.n) filter (where c.kind = 'view') over (partition by c.network) as of_network
      from traffic_clusters c
      where c.zone_id = zone and c.hour >= from_hour and c.hour < until_hour
  ), alike as (
    select p.*,
        case
          when max_views is not null then
            case
              when p.kind = 'click' and p.of_network > max_views then p.n
              else p.withdrawn + greatest(0, least(p.n - p.withdrawn,
                p.left_until_now - case p.kind when 'view' then max_views else max_clicks end))
            end
          when (of_browsers is null or p.browser = any (of_browsers))
            and (of_delays is null or p.delay = any (of_delays) or p.kind = 'click') then p.n
          else 0
        end as taken
      from placed p
  )
  update traffic_clusters c set withdrawn = a.taken
    from alike a
    where c.zone_id = a.zone_id and c.hour = a.hour and c.ad_id = a.ad_id and c.kind = a.kind and c.network = a.network
      and c.browser = a.browser and c.delay = a.delay and a.taken > c.withdrawn;

  adjustment := nextval(pg_get_serial_sequence('withdrawals', 'id'));
  insert into withdrawals (id, zone_id, from_hour, until_hour, made_at, signals) overriding system value
    values (adjustment, zone, from_hour, until_hour, at, evidence);
  insert into withdrawn_hours (withdrawal_id, hour, ad_id, kind, zone_id, n)
    select adjustment, s.hour, s.ad_id, s.kind, zone, s.share - s.before
      from (
        select d.hour, d.ad_id, d.kind, coalesce(w.n, 0) as before,
            case when is_all then d.n else round(c.withdrawn * least(1, d.n::numeric / c.n))::bigint end as share
          from counted_hours d
          cross join lateral (
            select sum(t.n) as n, sum(t.withdrawn) as withdrawn from traffic_clusters t
              where t.zone_id = zone and t.hour = d.hour and t.ad_id = d.ad_id and t.kind = d.kind
              offset 0) as c
          cross join lateral (
            select sum(h.n) as n, coalesce(bool_or(h.n < 0), false) as given_back
              from withdrawn_hours h
              where h.ad_id = d.ad_id and h.kind = d.kind and h.hour = d.hour and h.zone_id = zone) as w
          where d.zone_id = zone and d.hour >= from_hour and d.hour < until_hour
            and d.kind in ('view', 'click') and (is_all or c.withdrawn > 0) and not w.given_back) as s
      where s.share > s.before;
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
