-- The sweep of every minute looks for addresses that were never used, among all files that were.
create index uploads_never_stored on uploads (expires_at) where stored_at is null;
