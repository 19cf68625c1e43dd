-- expand
-- The operator sets the categories (CATEGORIES), and a retired one stays on its websites. The server checks a choice
-- (server/inventory/categories/categories.ts); a release before this one still offers its own ten.
set local lock_timeout = '500ms';

alter table websites
  drop constraint websites_category_known,
  add constraint websites_category_length check (char_length(category) between 1 and 40) not valid;
