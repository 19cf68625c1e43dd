-- expand
-- The role of each operator (domain/operator/rights.ts). All operators until now could do everything.
set local lock_timeout = '500ms';

alter table operators
  add column role text not null default 'owner',
  add constraint operators_role_known check (role in ('owner', 'money', 'moderation', 'support', 'read'));

-- The role that a person gets when another operator confirms the request. Null for a refund and a removal.
alter table operator_requests
  add column role text,
  add constraint operator_requests_role_known check (role in ('owner', 'money', 'moderation', 'support', 'read')),
  drop constraint operator_requests_kind_known,
  add constraint operator_requests_kind_known check (
    kind in ('add-operator', 'remove-operator', 'set-operator-role', 'refund')),
  add constraint operator_requests_role check (kind <> 'set-operator-role' or role is not null);

insert into known_acts (name) values ('set-operator-role'), ('request-set-operator-role');
