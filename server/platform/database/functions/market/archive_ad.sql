-- Adds an ad to the public archive at its first counted view.
create or replace function archive_ad() returns trigger language plpgsql as $$
begin
  insert into ad_archive (ad_id, user_id, started_at, ended_at, advertiser, title, description)
    values (new.id, new.user_id, new.start_date, case when new.status = 'completed' then new.end_date end,
      advertiser_name(new.user_id), new.title, new.description)
    on conflict do nothing;
  return null;
end
$$;

-- The condition compares two numbers, because PostgreSQL evaluates it whenever events of an ad are counted. An ad that
-- has not started does not belong in the archive, whatever its counters say.
create or replace trigger archive_ad after update on ads
  for each row when (old.total_impressions = 0 and new.total_impressions > 0 and new.start_date is not null)
  execute function archive_ad();
