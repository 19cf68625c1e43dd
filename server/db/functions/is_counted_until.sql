-- Whether the figures of an ad zone up to a time are here. A cell may be cut off, and what depends on the views of a day
-- waits for it: at most two days, so that a cell that is lost does not keep its campaigns from ending.
create or replace function is_counted_until(zone integer, until timestamptz, at timestamptz) returns boolean language sql stable as $$
  select until <= at - interval '2 days' or not exists (
    select from ad_zones z
      join websites w on w.id = z.website_id
      join users u on u.id = w.user_id
      join cells c on c.id = u.cell_id
      where z.id = zone and coalesce(c.counted_until, '-infinity') < until)
$$;
