-- expand
-- Operators find documents of record, and each reading is an act (server/operator/documents).

set lock_timeout = '5s';
insert into known_acts (name) values ('read-document');
insert into known_act_subjects (name) values ('document');

-- The name and the tax number of the person or business that a document is made for: the supplier of a self-billing
-- document, and the customer of all others.
create index documents_operator_search on documents using gin (
  (coalesce(case kind when 'self_billing' then seller else customer end ->> 'name', '') || ' ' ||
    coalesce(case kind when 'self_billing' then seller else customer end ->> 'taxId', '')) gin_trgm_ops);
create index documents_amount on documents (book, amount_cents, id);
create index documents_issued on documents (book, issued_at, id);
