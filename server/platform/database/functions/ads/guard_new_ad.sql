-- A new ad is not yet reviewed, paid or counted, whichever statement inserts it.
create or replace function guard_new_ad() returns trigger language plpgsql as $$
begin
  if new.status <> 'pending' or new.payment_intent_id is not null
    or new.total_impressions <> 0 or new.total_clicks <> 0
  then
    raise exception 'a new ad is pending, unpaid and unseen' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_new_ad before insert on ads for each row execute function guard_new_ad();
