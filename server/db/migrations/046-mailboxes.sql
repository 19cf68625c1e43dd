-- The mailbox of the recipient, without '+tag' and dots. Limits of mails count by it, so that the spellings of one mailbox
-- share them. Earlier messages count by their address, which matters for a day.
alter table messages add column mailbox text;
update messages set mailbox = recipient;
alter table messages alter column mailbox set not null;
drop index messages_claimed;
create index messages_claimed on messages (mailbox, claimed_at) where claimed_at is not null and merged_into is null;
