-- An advertiser's ads that wait for their payment or for a change. [WAIT-01]
create index ads_waiting_owner on ads (user_id) where status in ('approved', 'rejected');
