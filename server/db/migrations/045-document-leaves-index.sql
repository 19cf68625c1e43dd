-- expand
-- The leaf of a document, which there is once.
create unique index concurrently ledger_leaves_document on ledger_leaves (document_id) where document_id is not null;
