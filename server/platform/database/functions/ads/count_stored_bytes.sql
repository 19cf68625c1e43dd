-- Keeps the sum of all stored files (server/platform/media/receive.ts). Summing the table for each upload would take ever longer.
-- The row stays locked until the transaction ends, so parallel uploads cannot exceed the server's quota.
create or replace function count_stored_bytes() returns trigger language plpgsql as $$
begin
  if coalesce(new.byte_size, 0) <> coalesce(old.byte_size, 0) then
    update stored_bytes set bytes = bytes + coalesce(new.byte_size, 0) - coalesce(old.byte_size, 0);
  end if;
  return null;
end
$$;

create or replace trigger count_stored_bytes after insert or delete or update of byte_size
  on uploads for each row execute function count_stored_bytes();
