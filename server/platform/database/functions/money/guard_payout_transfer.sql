-- Limits the transfers of an ad to its earnings, less the part that lost disputes have taken, and those without an ad to
-- the tax that documents added to the earnings of the publisher. Refuses a change of a transfer's payout, ad, charge and
-- amount. A transfer only moves forward and is never deleted, so that no request to the provider is forgotten.
create or replace function guard_payout_transfer() returns trigger language plpgsql as $$
declare
  earned bigint;
  payout payouts;
begin
  if tg_op in ('DELETE', 'TRUNCATE') then
    raise exception 'transfers are never deleted' using errcode = 'check_violation';
  end if;
  if tg_op = 'UPDATE' then
    if (new.id, new.key, new.payout_id, new.ad_id, new.charge_id, new.amount_cents, new.began_at) is distinct from
        (old.id, old.key, old.payout_id, old.ad_id, old.charge_id, old.amount_cents, old.began_at)
      or (old.provider_id is not null and new.provider_id is distinct from old.provider_id)
      or (old.state <> 'trying' and new.state <> old.state)
      or new.reversed_cents < old.reversed_cents
    then
      raise exception 'a transfer only moves forward' using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if new.ad_id is null then
    select * into payout from payouts where id = new.payout_id;
    -- Payouts of a publisher begin one at a time (lockPayoutsOf in server/money/payouts/store.ts).
    perform pg_advisory_xact_lock(7305114, payout.user_id);
    if new.amount_cents > coalesce((
        select sum(d.tax_cents) from documents d
          where d.user_id = payout.user_id and d.book = payout.book and d.currency = payout.currency
            and d.content ? 'publisherTax' and d.content ->> 'publisherTax' = 'on_top'), 0)
      - coalesce((
        select sum(t.amount_cents - t.reversed_cents) from payouts o join payout_transfers t on t.payout_id = o.id
          where o.user_id = payout.user_id and o.book = payout.book and o.currency = payout.currency
            and t.ad_id is null and t.state <> 'refused'), 0)
    then
      raise exception 'the transfers of tax to user % would exceed that of their documents', payout.user_id
        using errcode = 'check_violation';
    end if;
    return new;
  end if;
  -- The lock makes concurrent transfers of one ad wait for each other.
  select publisher_cents into earned from ad_earnings where ad_id = new.ad_id for no key update;
  if new.amount_cents > coalesce(earned, 0)
    - coalesce((select sum(d.borne_cents) from disputes d join payments p on p.id = d.payment_id where p.ad_id = new.ad_id), 0)
    - coalesce((
        select sum(t.amount_cents - t.reversed_cents) from payout_transfers t
          where t.ad_id = new.ad_id and t.state <> 'refused'), 0)
  then
    raise exception 'the transfers of ad % would exceed what it has earned', new.ad_id using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger guard_payout_transfer before insert or update or delete on payout_transfers
  for each row execute function guard_payout_transfer();
create or replace trigger guard_payout_transfers_truncate before truncate on payout_transfers
  for each statement execute function guard_payout_transfer();
