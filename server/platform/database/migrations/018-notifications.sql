-- Mail.

-- The outbox. A use case writes a message in its own transaction, and a job sends it. An address gets a limited number
-- of mails an hour and a day (server/notify/mail-budget.ts).
create table messages (
  id integer generated always as identity primary key,
  recipient text not null,
  -- The mailbox of the recipient, without '+tag' and dots. Limits count by it, so that the spellings of one mailbox
  -- share them.
  mailbox text not null,
  kind text not null,
  subject text not null,
  -- The server clears the text once a relay has accepted the message, because it may hold a code.
  body_text text not null,
  body_html text not null,
  -- There is no relay. /dev/mail shows the message.
  kept boolean not null default false,
  -- The mail that contains this one.
  merged_into integer references messages on delete cascade,
  -- The setting of the recipient that turns this kind of mail off. Null: none does.
  off_switch text,
  -- Mail to the address has bounced too often, so this one is not sent.
  suppressed boolean not null default false,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  -- The mailbox has had its limit of mails, and the message waits until then.
  held_until timestamptz,
  -- When it became one of the mails within the limit.
  claimed_at timestamptz,
  sent_at timestamptz,
  constraint messages_off_switch_known check (off_switch in ('emailNotifications', 'campaignUpdates', 'paymentAlerts'))
);
create index messages_waiting on messages (id) where sent_at is null and not kept;
create index messages_recipient on messages (recipient, id desc);
create index messages_created on messages (created_at);
create index messages_claimed on messages (mailbox, claimed_at) where claimed_at is not null and merged_into is null;
create index messages_held on messages (recipient, id) where held_until is not null;
create index messages_merged on messages (merged_into) where merged_into is not null;

-- What receivers reported about mail that they could not deliver. The same report may arrive repeatedly.
create table mail_bounces (
  recipient text not null,
  at timestamptz not null,
  kind text not null,
  primary key (recipient, at, kind),
  constraint mail_bounces_kind_known check (kind in ('hard', 'soft'))
);
create index mail_bounces_hard on mail_bounces (recipient) where kind = 'hard';
-- The bounces that are old enough to be removed.
create index mail_bounces_at on mail_bounces (at);

-- The names, amounts, recipients and mail settings for a notice about an ad.
create view notice_subjects as
select
  ads.id as ad_id,
  ads.public_id,
  ads.title,
  ads.total_amount,
  ads.commission_amount,
  ad_zones.name as zone_name,
  websites.name as website_name,
  advertiser.email as advertiser_email,
  advertiser.deleted_at is null as advertiser_exists,
  coalesce(advertiser_settings.email_notifications, true) as advertiser_email_notifications,
  coalesce(advertiser_settings.campaign_updates, true) as advertiser_campaign_updates,
  coalesce(advertiser_settings.payment_alerts, true) as advertiser_payment_alerts,
  publisher.email as publisher_email,
  publisher.deleted_at is null as publisher_exists,
  coalesce(publisher_settings.email_notifications, true) as publisher_email_notifications,
  coalesce(publisher_settings.campaign_updates, true) as publisher_campaign_updates,
  coalesce(publisher_settings.payment_alerts, true) as publisher_payment_alerts
from ads
join ad_zones on ad_zones.id = ads.ad_zone_id
join websites on websites.id = ad_zones.website_id
join users as advertiser on advertiser.id = ads.user_id
join users as publisher on publisher.id = websites.user_id
left join user_settings as advertiser_settings on advertiser_settings.user_id = advertiser.id
left join user_settings as publisher_settings on publisher_settings.user_id = publisher.id;
