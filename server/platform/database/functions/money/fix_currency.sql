-- The first sale fixes the currency of this installation. A sale in another one is refused.
create or replace function fix_currency() returns trigger language plpgsql as $$
begin
  update installation set currency = new.currency where currency is null;
  if new.currency <> (select currency from installation) then
    raise exception 'this installation sells in %, not in %', (select currency from installation), new.currency
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;

create or replace trigger fix_currency after update of status on payments for each row
  when (new.status = 'succeeded') execute function fix_currency();
