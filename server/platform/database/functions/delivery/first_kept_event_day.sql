-- The first of the days of events that stay as they are, `days` days before today. At least three days stay: counting needs a day
-- of events for two, because a token is valid for one. `today` is the day by the clock of the server. The clock of the database
-- decides if it is behind, so no argument gives up a day too early.
create or replace function first_kept_event_day(today date, days integer default 3) returns date
language sql stable set search_path = public, pg_temp as $$
  select least(today, (now() at time zone 'UTC')::date) - greatest(days, 3)
$$;
