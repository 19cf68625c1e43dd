-- Which events count, and what is left of them after withdrawals, is said here alone
-- (docs/decisions/024-withdrawn-traffic.md).

-- Every event by its last verdict. One that was counted and then withdrawn leaves the counted ones and gets a reason.
-- As rows to sum up: what was withdrawn is a negative row beside the counted one.
create view judged_hours as
  select hour, zone_id, ad_id, kind, reason, reason = '' as counts, n from delivery_hourly
  union all
  select hour, zone_id, ad_id, kind, '', true, -n from withdrawn_hours
  union all
  select hour, zone_id, ad_id, kind, 'withdrawn', false, n from withdrawn_hours;

-- The events that count: what is billed, shown and compared. As rows to sum up.
create view net_hours as select hour, zone_id, ad_id, kind, n from judged_hours where counts;

-- The events that counted when they were reported, whatever was withdrawn since: which hours had any, and what a withdrawal
-- takes from.
create view counted_hours as select hour, zone_id, ad_id, kind, n from delivery_hourly where reason = '';
