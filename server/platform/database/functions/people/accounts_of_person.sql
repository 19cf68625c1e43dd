-- The account of a person, those whose payouts go to the same bank account or card (docs/decisions/041-payouts.md), and those
-- that are or were a member of it, or of which it is or was one.
create or replace function accounts_of_person(person integer) returns setof integer language sql stable as $$
  select person
  union
  select other.user_id
    from payee_accounts own
    join payee_accounts other on other.destinations && own.destinations
    where own.user_id = person
  union
  select account_id from account_ties where user_id = person
  union
  select user_id from account_ties where account_id = person
$$;
