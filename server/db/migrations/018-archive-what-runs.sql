-- As in 014, but never in the way of the guards: an ad that has not begun is no matter of the archive, whatever its counters say.
drop trigger archive_ad on ads;
create trigger archive_ad after update on ads
  for each row when (old.total_impressions = 0 and new.total_impressions > 0 and new.start_date is not null)
  execute function archive_ad();
