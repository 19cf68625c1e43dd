-- How many hours the publisher of a website usually takes to answer an ad: the median of the latest 15 answers, at least
-- 1. Null before the third answer.
create or replace function usual_answer_hours(website integer) returns integer language sql stable as $$
  select case when count(*) >= 3
      then greatest(1, round(percentile_cont(0.5) within group (order by seconds) / 3600.0))::integer end
    from (
      select seconds from review_answers where website_id = website order by answered_at desc limit 15) latest
$$;
