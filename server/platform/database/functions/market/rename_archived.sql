-- Keeps the advertiser's name in the archive current when it changes, and removes it with the account.
create or replace function rename_archived() returns trigger language plpgsql as $$
declare
  person integer := case tg_table_name when 'users' then (to_jsonb(new) ->> 'id')::integer
    else (to_jsonb(case when tg_op = 'DELETE' then old else new end) ->> 'user_id')::integer end;
begin
  update ad_archive set advertiser = coalesce(advertiser_name(person), '') where user_id = person;
  return null;
end
$$;

create or replace trigger rename_archived after update on users
  for each row when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
  execute function rename_archived();

create or replace trigger rename_archived after insert or delete on user_settings
  for each row execute function rename_archived();

create or replace trigger rename_archived_business after update on user_settings
  for each row when (old.business_name is distinct from new.business_name) execute function rename_archived();
