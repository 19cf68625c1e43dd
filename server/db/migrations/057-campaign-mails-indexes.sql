-- expand
-- The advertisers with running ads, and their conversions of a week.
create index concurrently ads_running_owner on ads (user_id, start_date) where status = 'active';
create index concurrently conversions_owner on conversions (user_id, converted_at);
