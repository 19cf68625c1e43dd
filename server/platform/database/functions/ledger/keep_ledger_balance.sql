-- Adds a posting to the balance of its account, if the account must never be overdrawn, in either direction, and to the
-- month of its entry. The balance is locked first, so that two transactions never wait for each other's months.
create or replace function keep_ledger_balance() returns trigger language plpgsql as $$
begin
  insert into ledger_balances as b (account_id, amount_cents)
    select a.id, new.amount_cents from ledger_accounts a
      where a.id = new.account_id
        and a.kind in ('deferred_publisher', 'deferred_commission', 'publisher_payable', 'publisher_receivable', 'refund_payable',
          'tax_deferred')
    on conflict (account_id) do update set amount_cents = b.amount_cents + excluded.amount_cents;
  if found then
    insert into ledger_months as m (account_id, month, amount_cents, first_tx, last_tx)
      select new.account_id, date_trunc('month', t.recorded_at at time zone 'utc')::date, new.amount_cents, t.id, t.id
        from ledger_tx t where t.id = new.tx_id
      on conflict (account_id, month) do update set
        amount_cents = m.amount_cents + excluded.amount_cents,
        first_tx = least(m.first_tx, excluded.first_tx),
        last_tx = greatest(m.last_tx, excluded.last_tx);
  end if;
  return null;
end
$$;

create or replace trigger keep_ledger_balance after insert on ledger_postings
  for each row execute function keep_ledger_balance();
