-- expand
-- What the jobs of a minute have to look at, so that they read what is due and not all ads (docs/decisions/086-due-work.md).
set local lock_timeout = '500ms';

-- When the tag of each running ad is looked at next, to find the silent ones. An ad that is paused because of its tag has
-- no row. The trigger note_tag_look adds and removes the rows.
create table tag_looks (
  ad_id integer primary key references ads on delete cascade,
  look_at timestamptz not null
);
create index tag_looks_due on tag_looks (look_at, ad_id);

-- The ads whose earnings are complete, and of whose price a rest may have to be refunded. The trigger note_unsettled_ad
-- adds the rows, and the job removes each when it has looked.
create table unsettled_ads (
  ad_id integer primary key references ads on delete restrict
);

-- What begins or ends meanwhile waits, because the triggers do not exist yet.
lock table ads, ad_earnings, ledger_accounts in share row exclusive mode;
insert into tag_looks (ad_id, look_at)
  select id, '-infinity' from ads where status = 'active' and tag_silent_since is null;
insert into unsettled_ads (ad_id)
  select distinct a.id
    from ledger_balances b
    join ledger_accounts l on l.id = b.account_id and l.kind in ('deferred_publisher', 'deferred_commission')
    join ads a on a.id = l.owner_id
    join ad_earnings e on e.ad_id = a.id
    where b.amount_cents < 0 and a.status = 'completed' and e.due_at is null;
-- Each publisher with an account of earnings has a row of payout_weeks, also before the first turn. The trigger
-- note_payout_turn adds it.
insert into payout_weeks (user_id, book, week)
  select u.id, a.book, '-infinity' from ledger_accounts a join users u on u.id = a.owner_id
    where a.kind = 'publisher_payable'
  on conflict do nothing;
create index payout_weeks_due on payout_weeks (book, week);

-- Whether the entry of a movement has its currency and amount. Only the others can make the balances differ.
alter table provider_transactions add column agrees boolean not null default false;
