-- The name of a website's page in the catalogue, '/sites/{name}'; null if it has none. The name is the host. If several
-- websites share the host, the verified one has it, even while it isn't listed, because nobody else may stand at the
-- address of its owner. Without a verified one, the oldest listed website has it. The others have their public id.
create or replace function website_page(w websites) returns text language sql stable as $$
  select case
      when not is_website_listed(w, publisher) then null
      when exists (
        select from websites o join users owner on owner.id = o.user_id
          where page_host(o) = page_host(w) and o.id <> w.id and o.archived_at is null
            and (o.verified_at is not null or is_website_listed(o, owner))
            and (o.verified_at is null, not is_website_listed(o, owner), o.id) < (w.verified_at is null, false, w.id))
        then w.public_id::text
      else page_host(w) end
    from users publisher where publisher.id = w.user_id
$$;
