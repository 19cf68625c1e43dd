-- An ad goes live only with a successful payment of its price and its fee. PostgreSQL checks that when the database
-- transaction ends, because the server writes the ad and the payment one after the other. It compares stored sums: the rule of
-- the fee is in domain/payments/split.ts.
create or replace function live_ad_is_paid() returns trigger language plpgsql as $$
begin
  if not exists (
    select from payments p
      where p.ad_id = new.id and p.status = 'succeeded' and p.intent_id = new.payment_intent_id
        and p.amount_cents = new.total_amount * 100
        and (p.fee_cents = new.commission_amount * 100
          -- The fee of the net amount is lower than that of the price, which the ad has.
          or (p.tax_split = 'net' and p.fee_cents between 0 and new.commission_amount * 100)))
  then
    raise exception 'ad % has no payment of its price', new.id using errcode = 'check_violation';
  end if;
  return null;
end
$$;

drop trigger if exists live_ad_is_paid on ads;
create constraint trigger live_ad_is_paid after update of status on ads
  deferrable initially deferred for each row when (new.status = 'active' and old.status <> 'active')
  execute function live_ad_is_paid();
