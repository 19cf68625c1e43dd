-- Whether a website has a page in the public catalogue, unless the operator has turned the catalogue off. The publisher
-- can leave the catalogue and stay in the marketplace.
create or replace function is_website_listed(w websites, publisher users) returns boolean language sql immutable as $$
  select w.is_listed and is_website_offered(w, publisher)
$$;
