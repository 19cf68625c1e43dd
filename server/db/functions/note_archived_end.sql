create or replace function note_archived_end() returns trigger language plpgsql as $$
begin
  update ad_archive set ended_at = new.end_date where ad_id = new.id;
  return null;
end
$$;

-- After 'archive_ad', by the names' order: a first view may be the last.
create or replace trigger archive_ad_end after update of status
  on ads for each row when (old.status = 'active' and new.status = 'completed') execute function note_archived_end();
