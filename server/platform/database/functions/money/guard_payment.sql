-- Refuses a change of a payment's advertiser, ad, amounts, intent or charge, and a status change that is not allowed. A
-- canceled payment that succeeds after all becomes 'orphaned', and the server refunds it. If the money that arrived is
-- not as agreed, the payment becomes 'suspense'.
create or replace function guard_payment() returns trigger language plpgsql as $$
begin
  if (new.id, new.ad_id, new.user_id, new.book, new.amount_cents, new.currency, new.created_at)
    is distinct from (old.id, old.ad_id, old.user_id, old.book, old.amount_cents, old.currency, old.created_at)
    -- Until the charge, the advertiser can give another country, and the rate of the country can change.
    or ((new.status <> old.status or old.status not in ('open', 'canceled'))
      and (new.commission_cents, new.tax_account_id, new.tax_cents, new.tax_reason, new.tax_sentence, new.tax_split,
          new.tax_of_business)
        is distinct from
        (old.commission_cents, old.tax_account_id, old.tax_cents, old.tax_reason, old.tax_sentence, old.tax_split,
          old.tax_of_business))
  then
    raise exception 'what a payment is for is fixed' using errcode = 'check_violation';
  end if;
  if old.intent_id is not null
    and (new.intent_id, new.customer_id, new.key) is distinct from (old.intent_id, old.customer_id, old.key)
  then
    raise exception 'the intent of a payment is fixed' using errcode = 'check_violation';
  end if;
  if new.status = old.status and (new.charge_id, new.paid_at) is distinct from (old.charge_id, old.paid_at) then
    raise exception 'the charge of a payment is fixed' using errcode = 'check_violation';
  end if;
  if old.received_cents is not null
    and (new.received_cents, new.received_currency) is distinct from (old.received_cents, old.received_currency)
  then
    raise exception 'what arrived for a payment is fixed' using errcode = 'check_violation';
  end if;
  if new.status <> old.status and (old.status, new.status) not in (
    ('open', 'succeeded'), ('open', 'canceled'), ('open', 'orphaned'), ('open', 'suspense'),
    ('canceled', 'orphaned'), ('canceled', 'suspense'))
  then
    raise exception 'a payment cannot go from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_payment before update on payments for each row execute function guard_payment();
