-- expand
-- Days of events that no report can belong to any more, packed: an event takes a fifth of the room that it takes as a row of
-- ad_events (docs/decisions/121-packed-events.md). Only pack_events() writes here, and drop_event_day() deletes.

-- One row for the events of an ad that have zone, kind, reason and creative in common. A day has several such rows.
create table packed_events (
  issued_on date not null,
  ad_id integer not null,
  zone_id integer not null,
  kind text not null,
  reason text,
  creative smallint,
  -- One element for each event, in one order. The times are milliseconds after the UTC day `issued_on` began.
  decision_ids bytea[] not null,
  issued_ms integer[] not null,
  counted_ms integer[] not null,
  constraint packed_events_equal_lengths check (
    cardinality(decision_ids) > 0 and cardinality(decision_ids) = cardinality(issued_ms)
    and cardinality(issued_ms) = cardinality(counted_ms))
);
create index packed_events_day on packed_events (issued_on);

-- All events that are kept, whether packed or not. Read a day by its `issued_on`.
create view kept_events as
  select issued_on, decision_id, kind, ad_id, zone_id, reason, issued_at, counted_at, creative from ad_events
  union all
  select p.issued_on, e.decision_id, p.kind, p.ad_id, p.zone_id, p.reason,
      day.began + e.issued_ms * interval '1 millisecond', day.began + e.counted_ms * interval '1 millisecond', p.creative
    from packed_events p
    cross join lateral (select p.issued_on::timestamp at time zone 'utc') as day (began)
    cross join lateral unnest(p.decision_ids, p.issued_ms, p.counted_ms) as e (decision_id, issued_ms, counted_ms);
