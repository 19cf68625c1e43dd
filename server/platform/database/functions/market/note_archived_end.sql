-- Notes in the archive when an ad ended.
create or replace function note_archived_end() returns trigger language plpgsql as $$
begin
  update ad_archive set ended_at = new.end_date where ad_id = new.id;
  return null;
end
$$;

-- PostgreSQL fires triggers in the order of their names, so this one follows archive_ad. It has to, because the first
-- counted view of an ad may also be its last.
create or replace trigger archive_ad_end after update of status
  on ads for each row when (old.status = 'active' and new.status = 'completed') execute function note_archived_end();
