-- The host in the address of a website's page, without the ports of http and https. It must be exactly the expression of
-- the index websites_page, or the index is not used.
create or replace function page_host(w websites) returns text language sql immutable as $$
  select regexp_replace(w.host, ':(80|443)$', '')
$$;
