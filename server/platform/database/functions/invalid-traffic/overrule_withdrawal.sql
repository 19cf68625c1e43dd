-- Counts the events of a withdrawal again, as another adjustment. An ad that has reached its goal in the meantime gets no
-- more than its goal, so that the advertiser does not pay twice. Returns the id of the new adjustment.
create or replace function overrule_withdrawal(at timestamptz, withdrawal integer, overruled_by text, because text)
returns integer language plpgsql as $$
declare
  taken withdrawals;
  adjustment integer;
begin
  select * into strict taken from withdrawals w where w.id = withdrawal;
  perform assert_month_open(taken.from_hour, at);
  perform 1 from ads a
    where a.id in (select h.ad_id from withdrawn_hours h where h.withdrawal_id = withdrawal)
    order by a.id for no key update;
  insert into withdrawals (zone_id, from_hour, until_hour, made_at, overrules, made_by, reason)
    values (taken.zone_id, taken.from_hour, taken.until_hour, at, withdrawal, overruled_by, because)
    returning id into adjustment;
  insert into withdrawn_hours (withdrawal_id, hour, ad_id, kind, zone_id, n)
    select adjustment, hour, ad_id, kind, zone_id, -least(n, room - before)
      from (
        select h.*, coalesce(sum(h.n) over (
              partition by h.ad_id, h.kind order by h.hour rows between unbounded preceding and 1 preceding), 0) as before,
            case
              when h.kind = 'view' and a.pricing_model = 'per_impression' then a.impressions - a.total_impressions
              when h.kind = 'click' and a.pricing_model = 'per_click' then a.clicks - a.total_clicks
              else 'infinity'::float8
            end as room
          from withdrawn_hours h join ads a on a.id = h.ad_id
          where h.withdrawal_id = withdrawal) as each_hour
      where before < room;
  perform adjust_counters(adjustment, at);
  return adjustment;
end
$$;
