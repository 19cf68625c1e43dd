-- Until when an approved ad that has taken slots can be paid: three days after its approval, or after it has taken them,
-- if that was later. Null for every other ad.
create or replace function ad_pay_by(a ads) returns timestamptz language sql stable as $$
  select greatest(a.approved_at, max(b.taken_at)) + interval '3 days'
    from booked_days b
    where b.ad_id = a.id and a.status = 'approved'
    having count(*) > 0
$$;
