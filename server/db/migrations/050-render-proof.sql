-- 'no_proof': a report without the layout that a browser makes of the decision (domain/delivery/render-proof.ts).
alter table ad_events drop constraint ad_events_reason_known;
alter table ad_events add constraint ad_events_reason_known check (reason in (
  'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
  'data_center', 'activity', 'not_a_browser', 'not_rendered', 'wrong_format', 'network_cap', 'browser_cap', 'ad_cap',
  'publisher_cap', 'ceiling', 'withdrawn', 'no_proof'));
alter table delivery_hourly drop constraint delivery_hourly_reason_known;
alter table delivery_hourly add constraint delivery_hourly_reason_known check (reason in ('',
  'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
  'data_center', 'activity', 'not_a_browser', 'not_rendered', 'wrong_format', 'network_cap', 'browser_cap', 'ad_cap',
  'publisher_cap', 'ceiling', 'withdrawn', 'no_proof'));
