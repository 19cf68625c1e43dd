-- expand
-- Fingerprints of the secrets that a running server accepts, so that one with other secrets does not start beside it
-- (docs/decisions/115-refused-starts.md). The first one signs. Empty: a server of a release before this column.
set local lock_timeout = '500ms';

alter table servers
  add column secrets text[] not null default '{}',
  add column started_at timestamptz not null default now();
