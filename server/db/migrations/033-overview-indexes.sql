-- expand
-- The console's first page reads all rows of a period (server/operator/overview/store-overview.ts). Rows of an hour are
-- written in that hour, so they lie together, and an index of block ranges finds them. It has a few pages, and writing an
-- event does not move it. A B-tree would add an entry for each row.
create index concurrently delivery_hourly_hour on delivery_hourly using brin (hour) with (autosummarize = on);
create index concurrently earned_hours_hour on earned_hours using brin (hour) with (autosummarize = on);
create index concurrently withdrawn_hours_hour on withdrawn_hours using brin (hour) with (autosummarize = on);
create index concurrently refunds_created on refunds (created_at);
create index concurrently websites_created on websites (created_at);
create index concurrently ads_approved on ads (approved_at) where approved_at is not null;
