-- An ad that whoever runs the server has taken down, with the reason that both sides read. It is over for good.
alter table ads
  add column taken_down_reason text,
  add constraint ads_taken_down_is_over check (
    taken_down_reason is null or (status = 'completed' and btrim(taken_down_reason) <> '' and length(taken_down_reason) <= 500));

-- The archive of what was taken down says that and why, and shows it no more (Digital Services Act, article 39, 3).
create function archive_taken_down() returns trigger language plpgsql as $$
begin
  update ad_archive set title = 'An ad that was taken down', description = new.taken_down_reason where ad_id = new.id;
  return null;
end
$$;
create trigger archive_taken_down after update on ads
  for each row when (old.taken_down_reason is null and new.taken_down_reason is not null)
  execute function archive_taken_down();

-- SHA-256 of the key in the operator's mail about a report: who holds it may take the ad down.
alter table ad_reports add column key_hash bytea unique;
