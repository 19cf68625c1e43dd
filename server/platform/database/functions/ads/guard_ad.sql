-- Refuses a status change that the state table does not allow (domain/ads/status.ts), and a change of the approved
-- content. The advertiser may change an ad when they resubmit it, which moves it from rejected to pending, or correct it
-- while it is pending. Both make a new version, so that no publisher approves what they did not see.
create or replace function guard_ad() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and (old.status, new.status) not in (
    ('pending', 'approved'), ('pending', 'rejected'), ('rejected', 'pending'),
    ('approved', 'active'), ('approved', 'rejected'), ('active', 'completed'))
    -- Withdrawn traffic gives quota back, so an ad with a goal runs on (server/platform/database/functions/invalid-traffic/adjust_counters.sql).
    and not ((old.status, new.status) = ('completed', 'active') and old.pricing_model <> 'per_day'
      and new.total_impressions + new.total_clicks < old.total_impressions + old.total_clicks)
  then
    raise exception 'an ad cannot go from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  -- An ad that ends without another reason was delivered. One that runs on has not ended.
  new.ended_reason := case when new.status = 'completed' then coalesce(new.ended_reason, 'delivered') end;
  if (new.user_id, new.ad_zone_id, new.ad_type, new.total_amount, new.commission_amount,
      new.commission_percent, new.pricing_model, new.duration, new.impressions, new.clicks, new.quantity)
    is distinct from
    (old.user_id, old.ad_zone_id, old.ad_type, old.total_amount, old.commission_amount,
      old.commission_percent, old.pricing_model, old.duration, old.impressions, old.clicks, old.quantity)
  then
    raise exception 'the price and plan of an ad are fixed' using errcode = 'check_violation';
  end if;
  if (new.title, new.description, new.target_url, new.image_url, new.video_url, new.targeting)
    is distinct from
    (old.title, old.description, old.target_url, old.image_url, old.video_url, old.targeting)
    and not (old.status in ('rejected', 'pending') and new.status = 'pending' and new.version > old.version)
  then
    raise exception 'an ad is changed only before its approval, as a new version' using errcode = 'check_violation';
  end if;
  -- The publisher could lower it by what they state (docs/decisions/054-delivered-days.md).
  if new.min_day_views < old.min_day_views then
    raise exception 'the views that a day of an ad needs do not fall' using errcode = 'check_violation';
  end if;
  if old.payment_intent_id is not null
    and (new.payment_intent_id, new.start_date) is distinct from (old.payment_intent_id, old.start_date)
  then
    raise exception 'the payment of an ad is fixed' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- The trigger names its columns, because counting updates the two counters with every batch and should not pay for this
-- function. The list has every column whose change the function checks.
create or replace trigger guard_ad before update of
    user_id, ad_zone_id, ad_type, title, description, target_url, image_url, video_url, targeting, status,
    total_amount, commission_amount, commission_percent, payment_intent_id, pricing_model, duration, impressions, clicks, quantity,
    start_date, min_day_views
  on ads for each row execute function guard_ad();
