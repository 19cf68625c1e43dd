-- The name of a timezone if this database knows it, and UTC otherwise. The server stores no other name, but a database may
-- be restored into an image whose tzdata is older or has fewer names, and an unknown name in `at time zone` is an error
-- that stops the whole statement.
create or replace function known_timezone(name text) returns text language plpgsql stable as $$
begin
  perform now() at time zone name;
  return coalesce(name, 'UTC');
exception when invalid_parameter_value then
  return 'UTC';
end
$$;
