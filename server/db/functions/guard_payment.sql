-- Refuses a change of who pays how much for which ad, and a status change that is not allowed. A canceled payment that
-- succeeds after all becomes 'orphaned', and the server refunds it.
create or replace function guard_payment() returns trigger language plpgsql as $$
begin
  if (new.ad_id, new.user_id, new.book, new.amount_cents, new.commission_cents, new.currency)
    is distinct from (old.ad_id, old.user_id, old.book, old.amount_cents, old.commission_cents, old.currency)
  then
    raise exception 'what a payment is for is fixed' using errcode = 'check_violation';
  end if;
  if old.intent_id is not null and new.intent_id is distinct from old.intent_id then
    raise exception 'the intent of a payment is fixed' using errcode = 'check_violation';
  end if;
  if new.status <> old.status and (old.status, new.status) not in (
    ('open', 'succeeded'), ('open', 'canceled'), ('open', 'orphaned'), ('canceled', 'orphaned'))
  then
    raise exception 'a payment cannot go from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_payment before update on payments for each row execute function guard_payment();
