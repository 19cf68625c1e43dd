-- The number of the submission, from 1. Each resubmission has a new one, so that a publisher approves only what they saw.
alter table ads add column version integer not null default 1;
alter table ads add constraint ads_version_positive check (version >= 1);
-- For the quota of ads that wait for approval.
create index ads_pending_owner on ads (user_id) where status = 'pending';

-- An address gets a limited number of mails an hour and a day (server/notifications/mail-budget.ts). A mail beyond it is
-- held until then. Claimed: the mail is one of those within the limit. Merged: another mail contains this one.
alter table messages
  add column held_until timestamptz,
  add column claimed_at timestamptz,
  add column merged_into integer references messages on delete cascade;
create index messages_claimed on messages (recipient, claimed_at) where claimed_at is not null and merged_into is null;
create index messages_held on messages (recipient, id) where held_until is not null;
create index messages_merged on messages (merged_into) where merged_into is not null;

-- The bytes of all stored files, in one row. The trigger count_stored_bytes keeps it (server/db/functions).
create table stored_bytes (
  only_row boolean primary key default true check (only_row),
  bytes bigint not null check (bytes >= 0)
);
insert into stored_bytes (bytes) select coalesce(sum(byte_size), 0) from uploads;

-- When a job last found the file in use. It looks at each file once a week (server/media/uploads.ts).
alter table uploads add column checked_at timestamptz;
create index uploads_to_check on uploads (coalesce(checked_at, stored_at)) where stored_at is not null;
