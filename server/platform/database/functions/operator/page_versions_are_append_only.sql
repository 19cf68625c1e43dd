-- Refuses every change to a text that was saved, because people have accepted it. A correction is another version.
create or replace function page_versions_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'page versions are append-only' using errcode = 'check_violation';
end
$$;

create or replace trigger page_versions_append_only before update or delete or truncate on page_versions
  for each statement execute function page_versions_are_append_only();
