-- expand
-- Documents are leaves of the transparency log (docs/decisions/101-document-leaves.md).
set local lock_timeout = '500ms';

-- A leaf cannot be guessed without its salt. Documents from before have none, and no leaf.
alter table documents add column salt bytea;
alter table documents
  alter column salt set default substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) from 1 for 16);

-- Documents that are no leaf yet. The trigger note_document puts them here, also for a server of the release before.
create table documents_unlogged (
  document_id integer primary key references documents on delete restrict
);

alter table ledger_leaves
  add column document_id integer references documents on delete restrict,
  drop constraint ledger_leaves_one_subject,
  add constraint ledger_leaves_one_subject check (
    num_nulls(tx_id, account_id) in (0, 2) and num_nonnulls(tx_id, act_id, document_id) = 1) not valid;
