-- The public catalogue: which websites are in it, and what its filters and orders need.

alter table websites add column is_listed boolean not null default true;
-- Websites on the same host compete for its page (server/db/functions/website_page.sql). The expression is that of
-- server/db/functions/page_host.sql.
create index websites_page on websites (regexp_replace(host, ':(80|443)$', ''), id);
-- The sitemap reads these in the order of their ids.
create index websites_in_sitemap on websites (id) where verified_at is not null and is_listed;

alter table website_ranks
  -- The lowest price of a purchase that can be made now, in cents. Null: there is none.
  add column lowest_price bigint,
  -- What can be bought now, as texts that a filter looks for: each ad type ('image'), each size ('300x250') and each
  -- type in a size ('image 300x250').
  add column offers text[] not null default '{}';
create index website_ranks_lowest on website_ranks (coalesce(lowest_price, 999999999999999), website_id);
create index website_ranks_offers on website_ranks using gin (offers) with (fastupdate = off);

-- The rows of a database that has websites already. The trigger functions may not exist yet, so this repeats what
-- server/db/functions/rank_websites.sql computes.
update website_ranks r set lowest_price = found.lowest_price, offers = found.offers
  from (
    select z.website_id, min(round(p.price * p.min_quantity * 100))::bigint as lowest_price,
        array_agg(distinct offer) as offers
      from ad_zones z
      join websites w on w.id = z.website_id
      join users publisher on publisher.id = w.user_id
      join ad_zone_products p on p.ad_zone_id = z.id
      cross join lateral unnest(array[
        p.ad_type, z.width || 'x' || z.height, p.ad_type || ' ' || z.width || 'x' || z.height]) offer
      where p.is_active and z.is_active and z.deleted_at is null and z.suspended_at is null
        and w.is_active and w.archived_at is null and w.suspended_at is null and publisher.suspended_at is null
      group by z.website_id) found
  where found.website_id = r.website_id;
