-- expand
-- Papers have the days of the marketplace's time zone (docs/decisions/043-documents.md), and another table of tax rates is
-- an act (server/operator/settings/tax-table.ts).

set local lock_timeout = '5s';

-- The day that the document prints. Null for documents of earlier releases, which print the day in UTC.
alter table documents add column issued_on date;
-- The day of the last document of the series.
alter table document_series add column last_on date;
-- The end of the month for commission notes and self-billing documents. Null: the end of the month in UTC.
alter table closed_months add column commission_until timestamptz;

-- A receipt and a credit note belong to the month of their day, all others to the month that they are about.
create index documents_of_business_month on documents (
  book, (coalesce(month, date_trunc('month', coalesce(issued_on::timestamp, issued_at at time zone 'utc'))::date)), user_id);
drop index documents_of_month;

-- Each table of tax rates that a server or a command has started with, if it differed from the one before.
create table tax_tables (
  id integer generated always as identity primary key,
  -- As it was read (domain/payments/tax-table.ts). Null: no tax was shown.
  content jsonb,
  noted_at timestamptz not null
);
insert into known_acts (name) values ('change-tax-table');
