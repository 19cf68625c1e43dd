-- expand
-- What a yearly report about publishers needs (server/money/books/export/store-reports.ts).

set local lock_timeout = '5s';
alter table user_settings add column birth_date date;
alter table user_settings add column registration_number text;

-- What the report of the year needs of a publisher who deleted the account in it. Null if no report was made then.
alter table closing_parties add column report jsonb;
