-- Records an entry in the first open month if the month of its time is closed. So statements of a closed month never
-- change. The lock makes the transaction that closes a month wait for entries that are not committed yet
-- (server/money/documents/months.ts).
create or replace function keep_months_closed() returns trigger language plpgsql as $$
declare
  open_from timestamptz;
begin
  perform pg_advisory_xact_lock_shared(7305115);
  -- In a time zone west of UTC, commission notes take their month to a later instant.
  select greatest((max(month) + interval '1 month') at time zone 'utc', max(commission_until)) into open_from
    from closed_months;
  if new.recorded_at < open_from then
    new.recorded_at := open_from;
  end if;
  return new;
end
$$;

create or replace trigger keep_months_closed before insert on ledger_tx
  for each row execute function keep_months_closed();
