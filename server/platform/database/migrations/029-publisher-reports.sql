-- expand
-- The details of publishers for a yearly report (server/money/books/export/store-reports.ts).

set local lock_timeout = '5s';
alter table user_settings add column birth_date date;
alter table user_settings add column registration_number text;

-- The details of a publisher who deleted the account, for the report of that year. Null if none was made then.
alter table closing_parties add column report jsonb;
