-- The archive of what was taken down says that and why, and shows it no more (Digital Services Act, article 39, 3).
create or replace function archive_taken_down() returns trigger language plpgsql as $$
begin
  update ad_archive set title = 'An ad that was taken down', description = new.taken_down_reason where ad_id = new.id;
  return null;
end
$$;

create or replace trigger archive_taken_down after update of taken_down_reason
  on ads for each row when (old.taken_down_reason is null and new.taken_down_reason is not null)
  execute function archive_taken_down();
