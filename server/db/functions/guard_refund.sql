-- Limits the refunds of a payment to the paid amount, in whole and in each share. Refuses a change of a refund's
-- payment, amounts and cause. Refunds are never deleted. A refund that was done can be owed again, because a bank may
-- send the money back.
create or replace function guard_refund() returns trigger language plpgsql as $$
declare
  paid record;
  before record;
begin
  if tg_op in ('DELETE', 'TRUNCATE') then
    raise exception 'refunds are never deleted' using errcode = 'check_violation';
  end if;
  if tg_op = 'UPDATE' then
    if (new.id, new.ref, new.payment_id, new.amount_cents, new.publisher_cents, new.commission_cents, new.cause, new.note,
        new.created_at)
      is distinct from
      (old.id, old.ref, old.payment_id, old.amount_cents, old.publisher_cents, old.commission_cents, old.cause, old.note,
        old.created_at)
    then
      raise exception 'what a refund is for is fixed' using errcode = 'check_violation';
    end if;
    return new;
  end if;
  -- The lock makes concurrent refunds of one payment wait for each other.
  select amount_cents, commission_cents, paid_at, status, received_cents into paid
    from payments where id = new.payment_id for no key update;
  if paid.paid_at is null then
    raise exception 'payment % has brought no money', new.payment_id using errcode = 'check_violation';
  end if;
  select coalesce(sum(publisher_cents), 0) as publisher, coalesce(sum(commission_cents), 0) as commission into before
    from refunds where payment_id = new.payment_id;
  if paid.status = 'suspense' then
    if before.publisher + before.commission + new.amount_cents > coalesce(paid.received_cents, 0) then
      raise exception 'the refunds of payment % would exceed what arrived', new.payment_id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if before.publisher + new.publisher_cents > paid.amount_cents - paid.commission_cents
    or before.commission + new.commission_cents > paid.commission_cents
  then
    raise exception 'the refunds of payment % would exceed what was paid', new.payment_id using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_refund before insert or update or delete on refunds
  for each row execute function guard_refund();
create or replace trigger guard_refunds_truncate before truncate on refunds
  for each statement execute function guard_refund();
