-- A lost dispute has a credit note, and a receipt if its money came back (docs/decisions/043-documents.md).
alter table documents
  add column dispute_id integer references disputes on delete restrict,
  drop constraint documents_of_refund,
  add constraint documents_of_refund check (refund_id is null or kind = 'credit_note'),
  add constraint documents_of_credit check (kind <> 'credit_note' or num_nonnulls(refund_id, dispute_id) = 1),
  add constraint documents_of_dispute check (dispute_id is null or kind in ('receipt', 'credit_note'));
drop index documents_receipt;
create unique index documents_receipt on documents (payment_id) where kind = 'receipt' and dispute_id is null;
create unique index documents_dispute on documents (dispute_id, kind) where dispute_id is not null;
-- The documents that change what a receipt says.
drop index documents_credit_notes;
create index documents_credit_notes on documents (payment_id) where kind = 'credit_note' or dispute_id is not null;

-- Disputes that were lost before this version.
alter table undocumented
  add column dispute_id integer references disputes on delete restrict,
  drop constraint undocumented_one,
  add constraint undocumented_one check (num_nonnulls(payment_id, refund_id, dispute_id) = 1);
insert into undocumented (dispute_id)
  select id from disputes where lost_at is not null and recovered_at is null order by lost_at, id;
