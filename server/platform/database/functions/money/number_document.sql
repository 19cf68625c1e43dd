-- Gives a document its day and the next number of its series. The rows of the series stay locked until the transaction ends,
-- so that a number is never skipped and never given twice. A failed insert gives its number back with its transaction. Do
-- not insert with `on conflict do nothing`, which would use up a number without a document.
--
-- The server names the day in the time zone of the marketplace. No document has an earlier day than the one before it, so
-- that another time zone never takes the numbers back to a year that has ended.
create or replace function number_document() returns trigger language plpgsql as $$
declare
  last_day date;
begin
  -- The row of the first year stands for the series of all years. The next statement sees what the transaction has written
  -- that this one waits for.
  perform from document_series s where s.book = new.book and s.kind = new.kind
    order by s.year limit 1 for no key update;
  select max(coalesce(s.last_on, make_date(s.year, 1, 1))) into last_day
    from document_series s where s.book = new.book and s.kind = new.kind;
  new.issued_on := greatest(coalesce(new.issued_on, (new.issued_at at time zone 'utc')::date), last_day);
  new.year := extract(year from new.issued_on);
  insert into document_series as series (book, kind, year, last, last_on)
    values (new.book, new.kind, new.year, 1, new.issued_on)
    on conflict (book, kind, year) do update set last = series.last + 1, last_on = new.issued_on
    returning last into new.serial;
  return new;
end
$$;

create or replace trigger number_document before insert on documents
  for each row execute function number_document();
