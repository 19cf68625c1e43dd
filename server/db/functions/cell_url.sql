-- The address that serves the ad zones of a website, if a cell does; else null.
create or replace function cell_url(website integer) returns text language sql stable as $$
  select c.delivery_url from websites w join users u on u.id = w.user_id join cells c on c.id = u.cell_id
    where w.id = website
$$;
