-- Refuses to delete a payment, because the advertiser has paid or may still pay.
create or replace function payments_stay() returns trigger language plpgsql as $$
begin
  raise exception 'a payment is never removed' using errcode = 'check_violation';
end
$$;

create or replace trigger payments_stay before delete or truncate on payments
  for each statement execute function payments_stay();
