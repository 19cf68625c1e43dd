-- The reference of the entry that books the tax of a self-billing document. A publisher has one such document a month.
create or replace function input_tax_ref(d documents) returns text language sql stable as $$
  select concat_ws(':', d.book, d.user_id, d.currency, to_char(d.month, 'YYYY-MM'))
$$;
