-- expand
-- What declared agents did in ad zones, by the name that they gave (server/delivery/agents/agents.ts).

set local lock_timeout = '5s';

-- No foreign key, so that a count never waits for a change of its zone.
create table zone_agents (
  zone_id integer not null,
  -- In UTC.
  day date not null,
  name text not null,
  requests bigint not null,
  views bigint not null,
  clicks bigint not null,
  primary key (zone_id, day, name),
  constraint zone_agents_named check (name ~ '^[A-Za-z0-9.-]{1,100}$'),
  constraint zone_agents_counted check (requests >= 0 and views >= 0 and clicks >= 0 and requests + views + clicks > 0)
);
-- Days come in the order of their time.
create index zone_agents_by_age on zone_agents using brin (day);
