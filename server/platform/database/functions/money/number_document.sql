-- Gives a document the next number of its series. The row of the series stays locked until the transaction ends, so that a
-- number is never skipped and never given twice. A failed insert gives its number back with its transaction. Do not insert
-- with `on conflict do nothing`, which would use up a number without a document.
create or replace function number_document() returns trigger language plpgsql as $$
begin
  new.year := extract(year from new.issued_at at time zone 'utc');
  insert into document_series as series (book, kind, year, last) values (new.book, new.kind, new.year, 1)
    on conflict (book, kind, year) do update set last = series.last + 1
    returning last into new.serial;
  return new;
end
$$;

create or replace trigger number_document before insert on documents
  for each row execute function number_document();
