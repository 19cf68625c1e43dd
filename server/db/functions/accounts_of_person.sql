-- The account of a person, and those whose payouts go to the same bank account or card (docs/decisions/042-payees.md).
create or replace function accounts_of_person(person integer) returns setof integer language sql stable as $$
  select person
  union
  select other.user_id
    from payee_accounts own
    join payee_accounts other on other.destinations && own.destinations
    where own.user_id = person
$$;
