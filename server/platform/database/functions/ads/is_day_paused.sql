-- Whether the advertiser of an ad had paused it at any moment between two times.
create or replace function is_day_paused(ad integer, from_time timestamptz, to_time timestamptz)
returns boolean language sql stable as $$
  select exists (
    select from advertiser_pauses p
      where p.ad_id = ad and p.began_at < to_time and (p.ended_at is null or p.ended_at > from_time))
$$;
