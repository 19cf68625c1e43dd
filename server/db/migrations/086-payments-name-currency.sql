-- expand
-- Every payment names its currency. A default would give one to an insert that forgets it.
set local lock_timeout = '500ms';

alter table payments alter column currency drop default;
