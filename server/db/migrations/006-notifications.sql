-- The outbox: written in the transaction that causes the message, sent by a job. The text is emptied once a relay
-- has taken it, because it may hold a code; without a relay it is kept and readable at /dev/mail.
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
