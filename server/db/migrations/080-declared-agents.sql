-- expand
-- Declared agents are a reason of their own (domain/delivery/reasons.ts). The tables are read while they are read and written
-- to. delivery_hourly lies in months only after the steps of 074, so these are steps as well.

-- In steps
do $$
begin
  set local lock_timeout = '500ms';
  alter table ad_events
    drop constraint ad_events_reason_known,
    add constraint ad_events_reason_known check (reason in (
      'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
      'data_center', 'activity', 'not_a_browser', 'not_rendered', 'wrong_format', 'network_cap', 'browser_cap', 'ad_cap',
      'publisher_cap', 'ceiling', 'withdrawn', 'no_proof', 'agent')) not valid;
end $$;

do $$
begin
  set local lock_timeout = '500ms';
  alter table delivery_hourly
    drop constraint delivery_hourly_reason_known,
    add constraint delivery_hourly_reason_known check (reason in ('',
      'prefetch', 'bot', 'wrong_site', 'too_fast', 'frequency', 'expired', 'forged', 'duplicate', 'not_live', 'over_goal',
      'data_center', 'activity', 'not_a_browser', 'not_rendered', 'wrong_format', 'network_cap', 'browser_cap', 'ad_cap',
      'publisher_cap', 'ceiling', 'withdrawn', 'no_proof', 'agent')) not valid;
end $$;

do $$
begin
  -- A vacuum may be under way. Nobody else waits behind this step.
  set local lock_timeout = 0;
  alter table ad_events validate constraint ad_events_reason_known;
end $$;

do $$
begin
  -- A vacuum may be under way. Nobody else waits behind this step.
  set local lock_timeout = 0;
  alter table delivery_hourly validate constraint delivery_hourly_reason_known;
end $$;
