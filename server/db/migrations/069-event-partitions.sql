-- expand
-- How counting is shared (docs/decisions/111-counting-by-publisher.md): into how many partitions the publishers are sorted,
-- as the first start stored it, and the events that a server has acknowledged for the server that owns their partition.
set local lock_timeout = '500ms';

create table event_partitions (
  is_only boolean primary key default true check (is_only),
  partitions smallint not null,
  constraint event_partitions_range check (partitions between 1 and 256)
);

create table handed_events (
  partition smallint not null,
  id bigint generated always as identity,
  -- JSON, as it also travels through NATS (server/delivery/event-log/sharing/message.ts).
  content text not null,
  -- Why the events can never be counted. The row is kept, so that an operator can look at it.
  refused text,
  primary key (partition, id)
);
-- Rows live for a moment, so compressing them would cost more than it saves.
alter table handed_events alter column content set storage external;
alter table handed_events set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
