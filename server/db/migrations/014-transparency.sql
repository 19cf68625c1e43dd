-- In whose name somebody advertises: their business, else themselves; '' once the account is gone.
create function advertiser_name(advertiser integer) returns text language sql stable as $$
  select coalesce(
      nullif(btrim(s.business_name), ''),
      nullif(btrim(concat_ws(' ', u.first_name, u.last_name)), ''),
      '')
    from users u left join user_settings s on s.user_id = u.id
    where u.id = advertiser
$$;

-- The public archive of ads that were really shown (after the Digital Services Act, article 39). A row begins with an
-- ad's first counted view, and goes a year after its last day. Everything that the list is searched and ordered by
-- stands here: an index over the counters of `ads` would make every counted view dearer.
create table ad_archive (
  ad_id integer primary key references ads on delete cascade,
  -- No foreign key: the counting must never wait for what becomes of an account.
  user_id integer not null,
  started_at timestamptz not null,
  -- Null while it runs.
  ended_at timestamptz,
  advertiser text not null,
  title text not null,
  description text not null
);
create index ad_archive_newest on ad_archive (started_at desc, ad_id desc);
create index ad_archive_ended on ad_archive (ended_at) where ended_at is not null;
create index ad_archive_advertiser on ad_archive (user_id);
create index ad_archive_words on ad_archive
  using gin ((advertiser || ' ' || title || ' ' || description) gin_trgm_ops) with (fastupdate = off);

create function archive_ad() returns trigger language plpgsql as $$
begin
  insert into ad_archive (ad_id, user_id, started_at, ended_at, advertiser, title, description)
    values (new.id, new.user_id, new.start_date, case when new.status = 'completed' then new.end_date end,
      advertiser_name(new.user_id), new.title, new.description)
    on conflict do nothing;
  return null;
end
$$;
-- Once in an ad's life: what a row is tested for at each counting is two numbers. Never in the way of the guards: an ad
-- that has not begun is no matter of the archive, whatever its counters say.
create trigger archive_ad after update on ads
  for each row when (old.total_impressions = 0 and new.total_impressions > 0 and new.start_date is not null)
  execute function archive_ad();

create function note_archived_end() returns trigger language plpgsql as $$
begin
  update ad_archive set ended_at = new.end_date where ad_id = new.id;
  return null;
end
$$;
-- After 'archive_ad', by the names' order: a first view may be the last.
create trigger archive_ad_end after update on ads
  for each row when (old.status = 'active' and new.status = 'completed') execute function note_archived_end();

-- A name is nobody's to keep: the archive follows when it is changed, or taken away with the account.
create function rename_archived() returns trigger language plpgsql as $$
declare
  person integer := case tg_table_name when 'users' then (to_jsonb(new) ->> 'id')::integer
    else (to_jsonb(case when tg_op = 'DELETE' then old else new end) ->> 'user_id')::integer end;
begin
  update ad_archive set advertiser = coalesce(advertiser_name(person), '') where user_id = person;
  return null;
end
$$;
create trigger rename_archived after update on users
  for each row when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
  execute function rename_archived();
create trigger rename_archived after insert or delete on user_settings
  for each row execute function rename_archived();
create trigger rename_archived_business after update on user_settings
  for each row when (old.business_name is distinct from new.business_name) execute function rename_archived();

insert into ad_archive (ad_id, user_id, started_at, ended_at, advertiser, title, description)
  select id, user_id, start_date, case when status = 'completed' then end_date end, advertiser_name(user_id),
      title, description
    from ads where total_impressions > 0;

-- What visitors say is wrong with an ad. The id comes with the form, so that sending it twice is sending it once.
create table ad_reports (
  id uuid primary key,
  ad_id integer not null references ads on delete cascade,
  reason text not null,
  details text not null default '',
  -- For an answer; only if they want one.
  email text,
  created_at timestamptz not null,
  constraint ad_reports_reason_known check (
    reason in ('illegal', 'misleading', 'harmful', 'offensive', 'rights', 'other')),
  constraint ad_reports_details_length check (length(details) <= 2000)
);
create index ad_reports_ad on ad_reports (ad_id, created_at);
create index ad_reports_created on ad_reports (created_at);
