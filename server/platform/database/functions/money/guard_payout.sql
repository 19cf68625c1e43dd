-- Refuses a change of a payout's publisher, account and amount, and a closed payout that opens again. Payouts are never
-- deleted.
create or replace function guard_payout() returns trigger language plpgsql as $$
begin
  if tg_op in ('DELETE', 'TRUNCATE') then
    raise exception 'payouts are never deleted' using errcode = 'check_violation';
  end if;
  if (new.id, new.user_id, new.book, new.currency, new.account_id, new.amount_cents, new.requested_by, new.created_at)
      is distinct from
      (old.id, old.user_id, old.book, old.currency, old.account_id, old.amount_cents, old.requested_by, old.created_at)
    or (old.status, new.status) = ('closed', 'open')
  then
    raise exception 'a payout is only closed' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_payout before update or delete on payouts
  for each row execute function guard_payout();
create or replace trigger guard_payouts_truncate before truncate on payouts
  for each statement execute function guard_payout();
