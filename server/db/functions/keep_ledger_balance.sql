-- Adds a posting to the balance of its account, if the account must never be overdrawn, in either direction.
create or replace function keep_ledger_balance() returns trigger language plpgsql as $$
begin
  insert into ledger_balances as b (account_id, amount_cents)
    select a.id, new.amount_cents from ledger_accounts a
      where a.id = new.account_id
        and a.kind in ('deferred_publisher', 'deferred_commission', 'publisher_payable', 'publisher_receivable', 'refund_payable')
    on conflict (account_id) do update set amount_cents = b.amount_cents + excluded.amount_cents;
  return null;
end
$$;

create or replace trigger keep_ledger_balance after insert on ledger_postings
  for each row execute function keep_ledger_balance();
