-- The first day of events that stays as it is if those of the last `days` days do. Counting needs a day of events for two days,
-- because a token is valid for one, so the last three days before today always stay. `today` is the day by the clock of the
-- server, and counts only if it is not later than that of the database: no argument makes a caller lose a day too early.
create or replace function first_kept_event_day(today date, days integer default 3) returns date
language sql stable set search_path = public, pg_temp as $$
  select least(today, (now() at time zone 'UTC')::date) - greatest(days, 3)
$$;
