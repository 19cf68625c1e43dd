-- The outbox. A use case writes a message in its own transaction, and a job sends it. The server clears the text once a
-- relay has accepted the message, because the text may hold a code. Without a relay, /dev/mail shows it.
create table messages (
  id integer generated always as identity primary key,
  recipient text not null,
  kind text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  kept boolean not null default false,
  attempts integer not null default 0,
  last_error text
);
create index messages_waiting on messages (id) where sent_at is null and not kept;
create index messages_recipient on messages (recipient, id desc);
create index messages_created on messages (created_at);

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
