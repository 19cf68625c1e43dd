-- Notes that two accounts belong together once a person has joined one (accounts_of_person). The note outlives the membership.
create or replace function note_member() returns trigger language plpgsql as $$
begin
  insert into account_ties (account_id, user_id) values (new.account_id, new.user_id) on conflict do nothing;
  return null;
end
$$;

create or replace trigger note_member after insert or update of user_id on account_members
  for each row when (new.user_id is not null) execute function note_member();
