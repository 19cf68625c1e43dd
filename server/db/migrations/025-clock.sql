-- In development, /dev/clock moves the marketplace's clock forward by this much. Whole seconds, so that the clock and the
-- wall clock always start a second at the same moment (server/delivery/snapshot/reservations.ts).
alter table installation
  add column clock_ahead_ms bigint not null default 0,
  add constraint installation_clock check (clock_ahead_ms >= 0 and clock_ahead_ms % 1000 = 0);

-- The last hour of the marketplace's clock for which an hourly job has run (server/jobs/worker.ts).
create table job_hours (
  name text primary key,
  hour timestamptz not null
);
