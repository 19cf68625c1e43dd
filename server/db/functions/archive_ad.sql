create or replace function archive_ad() returns trigger language plpgsql as $$
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
create or replace trigger archive_ad after update on ads
  for each row when (old.total_impressions = 0 and new.total_impressions > 0 and new.start_date is not null)
  execute function archive_ad();
