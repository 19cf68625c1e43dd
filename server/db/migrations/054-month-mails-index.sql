-- expand
-- The documents of a month by their owners. A receipt and a credit note belong to the month in which they were issued, all
-- others to the month that they are about.
create index concurrently documents_of_month
  on documents (book, (coalesce(month, date_trunc('month', issued_at at time zone 'utc')::date)), user_id);
