-- An ad goes live only with a successful payment of its price. PostgreSQL checks that when the database transaction
-- ends, because the server writes the ad and the payment one after the other. A cell has no payments.
create or replace function live_ad_is_paid() returns trigger language plpgsql as $$
begin
  if not is_cell() and not exists (
    select from payments p
      where p.ad_id = new.id and p.status = 'succeeded' and p.intent_id = new.payment_intent_id
        and p.amount_cents = new.total_amount * 100
        and p.commission_cents = case
          -- The fee is of the net amount, and the publisher does not get the tax.
          when p.tax_split = 'net' then p.tax_cents + round((p.amount_cents - p.tax_cents) * new.commission_percent / 100)
          else new.commission_amount * 100 end)
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
