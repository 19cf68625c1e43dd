-- Limits the reversals of a transfer to its amount. Refuses a change of a reversal's transfer and amount. A reversal
-- only moves forward and is never deleted.
create or replace function guard_transfer_reversal() returns trigger language plpgsql as $$
declare
  sent record;
begin
  if tg_op in ('DELETE', 'TRUNCATE') then
    raise exception 'reversals are never deleted' using errcode = 'check_violation';
  end if;
  if tg_op = 'UPDATE' then
    if (new.id, new.key, new.transfer_id, new.amount_cents, new.began_at) is distinct from
        (old.id, old.key, old.transfer_id, old.amount_cents, old.began_at)
      or (old.state <> 'trying' and (new.state, new.provider_id) is distinct from (old.state, old.provider_id))
    then
      raise exception 'a reversal only moves forward' using errcode = 'check_violation';
    end if;
    return new;
  end if;
  -- The lock makes concurrent reversals of one transfer wait for each other.
  select state, amount_cents into sent from payout_transfers where id = new.transfer_id for no key update;
  if sent.state is distinct from 'sent'
    or new.amount_cents + coalesce((
        select sum(r.amount_cents) from transfer_reversals r
          where r.transfer_id = new.transfer_id and r.state <> 'refused'), 0) > sent.amount_cents
  then
    raise exception 'the reversals of transfer % would exceed what was sent', new.transfer_id
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_transfer_reversal before insert or update or delete on transfer_reversals
  for each row execute function guard_transfer_reversal();
create or replace trigger guard_transfer_reversals_truncate before truncate on transfer_reversals
  for each statement execute function guard_transfer_reversal();
