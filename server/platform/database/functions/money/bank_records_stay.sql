-- Files for the bank and booked lines of its statements are never deleted.
create or replace function bank_records_stay() returns trigger language plpgsql as $$
begin
  raise exception 'files and lines of the bank are never deleted' using errcode = 'check_violation';
end
$$;

create or replace trigger bank_files_stay before delete or truncate on bank_files
  for each statement execute function bank_records_stay();
create or replace trigger bank_lines_stay before delete or truncate on bank_lines
  for each statement execute function bank_records_stay();
