-- Writes the number of a document, such as 'R-2026-000001'. The letter names the kind. Its name comes after that of
-- number_document, because the triggers of a table run in the order of their names.
create or replace function spell_document_number() returns trigger language plpgsql as $$
begin
  new.number :=
    case new.kind
      when 'receipt' then 'R' when 'credit_note' then 'C' when 'commission_note' then 'N' when 'self_billing' then 'B'
      else 'S' end
    || '-' || new.year::text || '-' || lpad(new.serial::text, greatest(6, length(new.serial::text)), '0');
  return new;
end
$$;

create or replace trigger spell_document_number before insert on documents
  for each row execute function spell_document_number();
