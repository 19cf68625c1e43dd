-- The calendar of an ad zone: the days on which its slots for ads by the day are taken, and the people who wait for days
-- (docs/decisions/069-booked-days.md).

-- A slot of a zone on one day, taken by an ad. Only zones with slots have rows. The primary key excludes that a slot is
-- taken twice, and guard_booked_day that a zone has more slots than it sells. It is deferrable, because the slots of a day
-- are numbered anew when a zone sells fewer of them.
create table booked_days (
  zone_id integer not null references ad_zones on delete cascade,
  day date not null,
  slot integer not null,
  ad_id integer not null references ads on delete cascade,
  taken_at timestamptz not null,
  primary key (zone_id, day, slot) deferrable initially immediate,
  constraint booked_days_once unique (ad_id, day),
  constraint booked_days_slot check (slot between 1 and 100)
);

-- People who wait until all days from start_day on are free. One of them at a time has the offer of a day.
create table waiting_list (
  id integer generated always as identity primary key,
  zone_id integer not null references ad_zones on delete cascade,
  user_id integer not null references users on delete cascade,
  product_id integer references ad_zone_products on delete set null,
  quantity integer not null,
  start_day date not null,
  -- The first day after those that the person waits for.
  end_day date not null,
  state text not null default 'waiting',
  -- Until then, nobody else can book these days.
  offered_until timestamptz,
  created_at timestamptz not null,
  -- When the entry was offered, or ended.
  changed_at timestamptz not null,
  constraint waiting_list_days check (start_day < end_day and quantity >= 1),
  constraint waiting_list_state_known check (state in ('waiting', 'offered', 'booked', 'expired')),
  constraint waiting_list_offer check (state <> 'offered' or offered_until is not null),
  -- The days of two offers never overlap.
  constraint waiting_list_one_offer exclude using gist (
    zone_id with =, daterange(start_day, end_day) with &&) where (state = 'offered')
);
create index waiting_list_queue on waiting_list (zone_id, id) where state in ('waiting', 'offered');
create index waiting_list_owner on waiting_list (user_id, id desc);
create index waiting_list_ended on waiting_list (changed_at) where state in ('booked', 'expired');
