-- Whether the advertiser who paid with this card (a keyed hash, or null) and the publisher seem to be one person: they share
-- an account or the destination of their payouts, or the publisher has paid with this card or is paid to it.
create or replace function is_same_person(advertiser integer, publisher integer, paid_card text)
returns boolean language sql stable as $$
  select exists (
    select from accounts_of_person(publisher) as own (id)
      where own.id in (select accounts_of_person(advertiser))
        or exists (
          select from payments p where p.user_id = own.id and p.card = paid_card and p.status = 'succeeded')
        or exists (
          select from payee_accounts a where a.user_id = own.id and a.destinations @> array[paid_card]))
$$;
