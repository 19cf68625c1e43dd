-- expand
-- An operator sends a test mail that must arrive, and checks the keys of the card provider (server/operator/launch.ts).

set local lock_timeout = '5s';
insert into known_acts (name) values ('send-test-mail'), ('confirm-test-mail'), ('check-keys');
