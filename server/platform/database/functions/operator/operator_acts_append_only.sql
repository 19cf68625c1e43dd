-- Refuses every change to the operators' audit trail. A mistake is corrected by another act.
create or replace function operator_acts_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit trail of operators is append-only' using errcode = 'check_violation';
end
$$;

create or replace trigger operator_acts_append_only before update or delete or truncate on operator_acts
  for each statement execute function operator_acts_append_only();
