-- expand
-- The version of the operator's terms that somebody accepted (docs/decisions/094-operator-pages.md). Null without terms.
set local lock_timeout = '500ms';

-- At the sign-up.
alter table users add column accepted_terms integer, add column accepted_terms_at timestamptz;
-- At the checkout, by "By paying, you accept …".
alter table payments add column accepted_terms integer;
alter table payment_consents add column accepted_terms integer;
