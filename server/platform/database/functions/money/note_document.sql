-- Notes each document for the log (server/money/transparency-log/append.ts).
create or replace function note_document() returns trigger language plpgsql as $$
begin
  insert into documents_unlogged (document_id) values (new.id);
  return null;
end
$$;

create or replace trigger note_document after insert on documents
  for each row execute function note_document();
