-- measure-zones asks every minute which ad zones are due, so that both kinds of them come from an index: those without a
-- measurement from this table, which the trigger note_new_zone fills, and the others by the day of their measurement.
create table unmeasured_zones (
  zone_id integer primary key references ad_zones on delete cascade
);
insert into unmeasured_zones
  select id from ad_zones z where not exists (select from zone_measurements m where m.zone_id = z.id);

create index zone_measurements_due on zone_measurements (measured_on, zone_id);
