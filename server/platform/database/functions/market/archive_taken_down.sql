-- Replaces the content of an ad that the operator took down with the reason, as article 39(3) of the Digital Services
-- Act requires (https://eur-lex.europa.eu/eli/reg/2022/2065/oj).
create or replace function archive_taken_down() returns trigger language plpgsql as $$
begin
  update ad_archive set title = 'An ad that was taken down', description = new.taken_down_reason where ad_id = new.id;
  return null;
end
$$;

create or replace trigger archive_taken_down after update of taken_down_reason
  on ads for each row when (old.taken_down_reason is null and new.taken_down_reason is not null)
  execute function archive_taken_down();
