-- An end of any kind ends the advertiser's pause, so that an ad that runs on after withdrawn traffic is not paused. The end
-- may be that of an earlier quote (server/money/refunds/cancelling/cancel.ts), before the pause began.
create or replace function end_advertiser_pause() returns trigger language plpgsql as $$
begin
  update advertiser_pauses set ended_at = greatest(began_at, new.updated_at)
    where ad_id = new.id and ended_at is null;
  new.advertiser_paused_at := null;
  return new;
end
$$;

create or replace trigger end_advertiser_pause before update of status on ads
  for each row when (new.status = 'completed' and new.advertiser_paused_at is not null)
  execute function end_advertiser_pause();
