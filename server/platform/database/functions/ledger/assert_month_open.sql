-- Refuses an adjustment of hours in a finished month. A UTC month is finished ten days after its end, so that the figures
-- of a statement never change (MONTH_OPEN_DAYS in domain/invalid-traffic/months.ts).
create or replace function assert_month_open(hour timestamptz, at timestamptz) returns void language plpgsql as $$
begin
  if at >= date_trunc('month', hour, 'utc') + interval '1 month' + interval '10 days' then
    raise exception 'the month of these hours is finished' using errcode = 'check_violation';
  end if;
end
$$;
