-- The video of an ad is an upload of its advertiser. A video elsewhere could be changed after the approval, and its host
-- would see every visitor. An ad that had one keeps its thumbnail or its text (docs/decisions/047-decoder-processes.md).
-- The guard refuses a change of approved content, which this is.
alter table ads disable trigger user;
update ads set video_url = null where video_url not like '/ad-images/%';
alter table ads enable trigger user;
alter table ads add constraint ads_video_is_upload check (video_url ~ '^/ad-images/[A-Za-z0-9_-]{22,64}$');
