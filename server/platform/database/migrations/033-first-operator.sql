-- expand
-- The link that makes the first operator is an invitation without an address (server/operator/invitations/invitations.ts).

set local lock_timeout = '5s';

alter table operator_invitations alter column email drop not null;
