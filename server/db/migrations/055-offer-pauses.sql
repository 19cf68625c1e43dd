-- expand
-- When something of a publisher was paused or suspended and is offered again. Its tag requested nothing countable
-- meanwhile, so these hours are no hours without the tag (docs/decisions/108-publisher-results.md).
set local lock_timeout = '500ms';

create table offer_pauses (
  id bigint generated always as identity primary key,
  -- No foreign key: the rows of a deleted subject say nothing any more, and are read by the subjects that exist.
  subject text not null,
  subject_id integer not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  constraint offer_pauses_subject_known check (subject in ('zone', 'website', 'person')),
  constraint offer_pauses_order check (began_at <= ended_at)
);
create index offer_pauses_subject on offer_pauses (subject, subject_id, ended_at);
