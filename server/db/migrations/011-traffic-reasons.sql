-- Two reasons more why an event is not counted (domain/delivery/reasons.ts): the address is a data centre's; more is
-- done than people do.
alter table ad_events drop constraint ad_events_reason_known;
alter table ad_events add constraint ad_events_reason_known check (reason in (
  'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
  'data_center', 'activity'));
alter table delivery_hourly drop constraint delivery_hourly_reason_known;
alter table delivery_hourly add constraint delivery_hourly_reason_known check (reason in ('',
  'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
  'data_center', 'activity'));
