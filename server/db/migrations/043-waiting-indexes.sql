-- expand
-- The rows that the console's first page counts, and those that the job 'remove-expired' clears, are few of all.
create index concurrently websites_waiting on websites (id) where review = 'waiting';
create index concurrently cancels_with_network on cancels (created_at) where network is not null;
