-- When the latest request of a try was sent. An operator's retry replaces a try only if none can be on its way any more.
alter table refund_tries add column asked_at timestamptz;
