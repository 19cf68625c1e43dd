-- expand
-- What the console's first page counts, and what the job 'remove-expired' forgets, among all rows.
create index concurrently websites_waiting on websites (id) where review = 'waiting';
create index concurrently cancels_with_network on cancels (created_at) where network is not null;
