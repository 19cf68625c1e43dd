-- Whether a website is in the marketplace: the publisher has neither hidden nor deleted it, the operator has suspended
-- neither it nor its publisher, and it neither waits for the operator's review nor was refused there. PostgreSQL puts the
-- conditions of this function into the query that calls it, so they use indexes and statistics as if they stood there
-- (docs/decisions/065-offered-and-shown.md).
create or replace function is_website_offered(w websites, publisher users) returns boolean language sql immutable as $$
  select w.is_active and w.archived_at is null and w.suspended_at is null and publisher.suspended_at is null
    and w.review is null
$$;
