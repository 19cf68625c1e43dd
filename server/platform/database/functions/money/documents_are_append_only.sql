-- Refuses every change to a document, to the order of the numbers, and to the list of closed months.
create or replace function documents_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'documents are append-only' using errcode = 'check_violation';
end
$$;

create or replace trigger documents_append_only before update or delete or truncate on documents
  for each statement execute function documents_are_append_only();

create or replace trigger document_series_stay before delete or truncate on document_series
  for each statement execute function documents_are_append_only();

create or replace trigger closed_months_stay before delete or truncate on closed_months
  for each statement execute function documents_are_append_only();
