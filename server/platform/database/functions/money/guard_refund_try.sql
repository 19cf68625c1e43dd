-- A try to refund only moves forward, belongs to the payment of its refund, and is never deleted. So no request to the
-- provider is forgotten. A try that we took for failed begins again when it gets the id of a refund that the provider made.
create or replace function guard_refund_try() returns trigger language plpgsql as $$
declare
  states constant text[] := array['trying', 'pending', 'succeeded', 'failed'];
begin
  if tg_op in ('DELETE', 'TRUNCATE') then
    raise exception 'tries to refund are never deleted' using errcode = 'check_violation';
  end if;
  if tg_op = 'INSERT' then
    if new.payment_id is distinct from (select payment_id from refunds where id = new.refund_id) then
      raise exception 'a try belongs to the payment of its refund' using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if (new.key, new.refund_id, new.payment_id, new.began_at) is distinct from (old.key, old.refund_id, old.payment_id, old.began_at)
    or (old.provider_id is not null and new.provider_id is distinct from old.provider_id)
    or (old.taken_by is not null and new.taken_by is distinct from old.taken_by)
    or (old.returned_by is not null and new.returned_by is distinct from old.returned_by)
    or (array_position(states, new.state) < array_position(states, old.state)
      and not (old.state = 'failed' and old.provider_id is null and new.provider_id is not null))
  then
    raise exception 'a try to refund only moves forward' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_refund_try before insert or update or delete on refund_tries
  for each row execute function guard_refund_try();
create or replace trigger guard_refund_tries_truncate before truncate on refund_tries
  for each statement execute function guard_refund_try();
