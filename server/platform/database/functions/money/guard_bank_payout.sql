-- A payout by bank transfer keeps its account and its id, and goes into one file. Nothing of it is deleted.
create or replace function guard_bank_payout() returns trigger language plpgsql as $$
begin
  if tg_op in ('DELETE', 'TRUNCATE') then
    raise exception 'payouts are never deleted' using errcode = 'check_violation';
  end if;
  if (new.payout_id, new.bank_account_id, new.end_to_end_id) is distinct from
      (old.payout_id, old.bank_account_id, old.end_to_end_id)
    or old.file_id is not null and new.file_id is distinct from old.file_id
  then
    raise exception 'a payout is in one file' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_bank_payout before update or delete on bank_payouts
  for each row execute function guard_bank_payout();
create or replace trigger guard_bank_payouts_truncate before truncate on bank_payouts
  for each statement execute function guard_bank_payout();
