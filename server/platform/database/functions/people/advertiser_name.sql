-- Returns an advertiser's name for the archive: the business name, or else the person's. '' for a deleted account.
create or replace function advertiser_name(advertiser integer) returns text language sql stable as $$
  select coalesce(
      nullif(btrim(s.business_name), ''),
      nullif(btrim(concat_ws(' ', u.first_name, u.last_name)), ''),
      '')
    from users u left join user_settings s on s.user_id = u.id
    where u.id = advertiser
$$;
