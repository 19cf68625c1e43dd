-- expand
-- The page views of a website by day, as the publisher's own analytics counted them, in whatever time zone these use
-- (docs/decisions/110-two-counts.md).
set local lock_timeout = '500ms';

create table site_page_views (
  website_id integer not null references websites on delete cascade,
  date date not null,
  page_views integer not null,
  primary key (website_id, date),
  constraint site_page_views_counted check (page_views between 0 and 1000000000)
);
