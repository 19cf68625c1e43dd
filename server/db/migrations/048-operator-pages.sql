-- expand
-- The pages that the operator writes (docs/decisions/094-operator-pages.md).
set local lock_timeout = '500ms';

-- Each text that was saved. Nothing changes or removes one afterwards, because people have accepted it.
create table page_versions (
  key text not null,
  version integer not null,
  -- Markdown.
  text text not null,
  saved_at timestamptz not null,
  -- The account of the operator. Null for the command line. No foreign key, as in operator_acts.
  saved_by integer,
  primary key (key, version),
  constraint page_versions_version check (version > 0)
);

-- The version that everybody can read. A page without a row is not published.
create table published_pages (
  key text primary key,
  version integer not null,
  published_at timestamptz not null,
  constraint published_pages_version foreign key (key, version) references page_versions on delete restrict
);

insert into known_acts (name) values ('save-page'), ('publish-page'), ('remove-page');
insert into known_act_subjects (name) values ('page');
