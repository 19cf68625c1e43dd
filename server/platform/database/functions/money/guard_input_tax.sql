-- A self-billing document with the mark of its tax has the entry of this tax, when the database transaction ends. The
-- trigger ledger_entry_is_whole refuses the entry without its document.
create or replace function guard_input_tax() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_tx t where t.kind = 'input_tax' and t.external_ref = input_tax_ref(new)) then
    raise exception 'the tax of document % is not booked', new.number using errcode = 'check_violation';
  end if;
  return null;
end
$$;

drop trigger if exists guard_input_tax on documents;
create constraint trigger guard_input_tax after insert on documents
  deferrable initially deferred for each row when (new.content ? 'publisherTax') execute function guard_input_tax();
