-- expand
-- One-click unsubscription, and bounces of mail.
set local lock_timeout = '500ms';

alter table messages
  -- The setting of the recipient that turns this kind of mail off. Null: none does.
  add column off_switch text,
  -- Mail to the address has bounced too often, so this one is not sent.
  add column suppressed boolean not null default false,
  add constraint messages_off_switch_known
    check (off_switch in ('emailNotifications', 'campaignUpdates', 'paymentAlerts'));

-- What receivers reported about mail that they could not deliver. The same report may arrive repeatedly.
create table mail_bounces (
  recipient text not null,
  at timestamptz not null,
  kind text not null,
  primary key (recipient, at, kind),
  constraint mail_bounces_kind_known check (kind in ('hard', 'soft'))
);
create index mail_bounces_hard on mail_bounces (recipient) where kind = 'hard';
