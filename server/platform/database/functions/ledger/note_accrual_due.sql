-- Notes when an ad that begins, ends or runs on has to be accrued (server/money/ledger/accrue.ts). An end is due at
-- once, a begin after an hour.
create or replace function note_accrual_due() returns trigger language plpgsql as $$
begin
  insert into ad_earnings (ad_id, bought, until, due_at)
    values (
      new.id,
      case new.pricing_model
        when 'per_day' then new.duration * 86400::bigint
        when 'per_impression' then new.impressions
        else new.clicks end,
      new.start_date, new.start_date + interval '1 hour')
    on conflict (ad_id) do update set due_at = '-infinity';
  return null;
end
$$;

create or replace trigger note_accrual_due after update of status on ads
  for each row when (new.status <> old.status and new.status in ('active', 'completed'))
  execute function note_accrual_due();
