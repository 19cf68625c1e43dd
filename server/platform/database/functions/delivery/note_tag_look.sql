-- Notes that the tag of an ad has to be looked at, at once, when the ad begins to run or its tag is heard again
-- (server/ads/clock/silence.ts). An ad that has ended, or is paused because of its tag, is looked at no more.
create or replace function note_tag_look() returns trigger language plpgsql as $$
begin
  if new.status = 'active' and new.tag_silent_since is null then
    insert into tag_looks (ad_id, look_at) values (new.id, '-infinity')
      on conflict (ad_id) do update set look_at = excluded.look_at;
  else
    delete from tag_looks where ad_id = new.id;
  end if;
  return null;
end
$$;

create or replace trigger note_tag_look after update of status, tag_silent_since on ads
  for each row when (
    (new.status = 'active' and new.tag_silent_since is null) <> (old.status = 'active' and old.tag_silent_since is null))
  execute function note_tag_look();
