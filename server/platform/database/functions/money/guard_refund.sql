-- Limits the refunds of a payment to the paid amount, in whole and in each share. Refuses a change of a refund's payment and
-- cause. Its amounts change in two cases, because of a refund that was made outside (docs/decisions/030-refunds.md):
-- an owed refund loses the part that was made, and the part that the marketplace bears becomes one that was not delivered.
-- Refunds are never deleted. A refund that was done can be owed again, because a bank may send the money back.
create or replace function guard_refund() returns trigger language plpgsql as $$
declare
  paid record;
  others record;
  sent bigint;
begin
  if tg_op in ('DELETE', 'TRUNCATE') then
    raise exception 'refunds are never deleted' using errcode = 'check_violation';
  end if;
  if tg_op = 'UPDATE' then
    if (new.id, new.ref, new.payment_id, new.cause, new.note, new.created_at)
      is distinct from (old.id, old.ref, old.payment_id, old.cause, old.note, old.created_at)
    then
      raise exception 'what a refund is for is fixed' using errcode = 'check_violation';
    end if;
    if (new.amount_cents, new.publisher_cents, new.commission_cents)
      is not distinct from (old.amount_cents, old.publisher_cents, old.commission_cents)
      or (old.status = 'owed' and new.amount_cents < old.amount_cents and new.publisher_cents <= old.publisher_cents
        and new.commission_cents <= old.commission_cents and new.goodwill_cents <= old.goodwill_cents)
    then
      return new;
    end if;
    if new.amount_cents <> old.amount_cents or new.goodwill_cents > old.goodwill_cents
      or new.publisher_cents < old.publisher_cents or new.commission_cents < old.commission_cents
    then
      raise exception 'what a refund is for is fixed' using errcode = 'check_violation';
    end if;
  end if;
  -- The lock makes concurrent refunds of one payment wait for each other.
  select amount_cents, commission_cents, paid_at, status, received_cents into paid
    from payments where id = new.payment_id for no key update;
  if paid.paid_at is null then
    raise exception 'payment % has brought no money', new.payment_id using errcode = 'check_violation';
  end if;
  select coalesce(sum(publisher_cents), 0) as publisher, coalesce(sum(commission_cents), 0) as commission,
      -- The amount that the provider sends. It cannot send back money that was paid by hand or taken by a bank.
      coalesce(sum(amount_cents) filter (where paid_by_hand_at is null and settled_by is null), 0) as amount
    into others
    from refunds where payment_id = new.payment_id and id <> new.id;
  sent := others.amount + case when new.paid_by_hand_at is null and new.settled_by is null then new.amount_cents else 0 end;
  if paid.status = 'suspense' then
    if sent > coalesce(paid.received_cents, 0) then
      raise exception 'the refunds of payment % would exceed what arrived', new.payment_id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if others.publisher + new.publisher_cents > paid.amount_cents - paid.commission_cents
    or others.commission + new.commission_cents > paid.commission_cents
    or sent > paid.amount_cents
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
