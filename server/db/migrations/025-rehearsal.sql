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

-- `parent` is the object that an object of the sandbox belongs to, such as the intent of a refund. At `due_at` of the
-- marketplace's clock the object goes on by itself: a fee becomes known, a pending refund arrives.
alter table sandbox_objects
  add column parent text,
  add column due_at timestamptz;
create index sandbox_objects_parent on sandbox_objects (parent, kind) where parent is not null;
create index sandbox_objects_newest on sandbox_objects (kind, created_at desc, id desc);
create index sandbox_objects_due on sandbox_objects (due_at) where due_at is not null;
update sandbox_objects set parent = data ->> 'intentId' where kind = 're';
insert into sandbox_objects (id, kind, parent, data, created_at, updated_at)
  select data ->> 'chargeId', 'ch', id, jsonb_build_object('intentId', id), created_at, updated_at
    from sandbox_objects
    where kind = 'pi' and data ->> 'chargeId' is not null;

-- When the operator vouched for the owner of a website. No proof is looked for then, and none can be lost.
alter table websites
  add column vouched_at timestamptz,
  add constraint websites_vouched_is_verified check (vouched_at is null or verified_at is not null);
