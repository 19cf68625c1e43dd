-- An entry has postings, the entry of a sale is the one of its payment, and input tax is that of a self-billing document.
-- PostgreSQL checks that when the database transaction ends.
create or replace function ledger_entry_is_whole() returns trigger language plpgsql as $$
declare
  deferred bigint;
  commission bigint;
  postings bigint;
  input_tax bigint;
begin
  select count(*), sum(p.amount_cents) filter (where a.kind = 'input_tax') into postings, input_tax
    from ledger_postings p join ledger_accounts a on a.id = p.account_id
    where p.tx_id = new.id;
  if postings = 0 then
    raise exception 'ledger transaction % has no postings', new.id using errcode = 'check_violation';
  end if;
  if new.kind = 'paid' then
    select -coalesce(sum(p.amount_cents), 0),
        -coalesce(sum(p.amount_cents) filter (where a.kind = 'deferred_commission'), 0)
      into deferred, commission
      from ledger_postings p join ledger_accounts a on a.id = p.account_id
      where p.tx_id = new.id and a.kind in ('deferred_publisher', 'deferred_commission') and a.owner_id = new.ad_id;
    if not exists (
      select from payments m
        where m.ad_id = new.ad_id and m.charge_id = new.external_ref and m.status = 'succeeded'
          and m.amount_cents = deferred and m.commission_cents = commission)
    then
      raise exception 'no payment is of what ledger transaction % defers', new.id using errcode = 'check_violation';
    end if;
  end if;
  -- A payment of tax may use input tax up, and a refund of the state pays it.
  if (new.kind = 'input_tax' or input_tax > 0 or (input_tax < 0 and new.kind not in ('tax_paid', 'tax_refunded'))) and not exists (
    select from documents d
      where new.kind = 'input_tax' and d.kind = 'self_billing' and d.user_id = (new.meta ->> 'user')::integer
        and d.month = (new.meta ->> 'month' || '-01')::date and input_tax_ref(d) = new.external_ref
        and d.content ? 'publisherTax' and d.tax_cents = input_tax)
  then
    raise exception 'no document is of the input tax of ledger transaction %', new.id using errcode = 'check_violation';
  end if;
  return null;
end
$$;

drop trigger if exists ledger_entry_is_whole on ledger_tx;
create constraint trigger ledger_entry_is_whole after insert on ledger_tx
  deferrable initially deferred for each row execute function ledger_entry_is_whole();
