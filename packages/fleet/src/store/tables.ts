import type { Migration } from '../database/migrate.js';

/** What hosts have shipped. */
export const KEEPING: Migration = {
  name: 'keeping',
  statements: `
    -- Locked by whoever stores for the host, and by whoever takes a session from it.
    create table shipped_host (
      host text primary key references host on delete cascade,
      feed text,
      feed_epoch int not null default 0,
      position int8 not null default 0
    );
    create table replaced_feed (
      host text not null references host on delete cascade,
      feed text not null,
      primary key (host, feed)
    );
    create table session (
      id int8 generated always as identity primary key,
      uri text not null unique,
      host text not null references host,
      epoch int not null,
      modified_at float8,
      summary text,
      title text,
      status int,
      disposed_at float8
    );
    create index session_listed on session (modified_at desc, id desc) where disposed_at is null and summary is not null;
    create index session_of_host on session (host, modified_at desc, id desc)
      where disposed_at is null and summary is not null;
    create index session_not_idle on session (modified_at desc, id desc)
      where disposed_at is null and summary is not null and (status & 31) <> 1;
    create index session_disposed on session (disposed_at) where disposed_at is not null;
    create table channel (
      id int8 generated always as identity primary key,
      uri text not null unique,
      session int8 not null references session on delete cascade,
      kind text not null,
      host text not null,
      feed_epoch int not null,
      seq int8,
      json text,
      replayable_after int8 not null,
      trimmed_up_to int8 not null default 0
    );
    create index channel_of_session on channel (session);
    create table log (
      channel int8 not null references channel on delete cascade,
      host text not null,
      first_seq int8 not null,
      last_seq int8 not null,
      feed_epoch int not null,
      envelopes text not null,
      stored_at timestamptz not null default now(),
      primary key (channel, host, first_seq)
    );
    create index log_by_time on log using brin (stored_at);
    create table document (
      host text not null,
      collection text not null,
      key text not null,
      session int8 not null references session on delete cascade,
      json text not null,
      primary key (host, collection, key)
    );
    create index document_of_session on document (session);
    -- A batch that is longer than one message of the bus, until all of it is here.
    create unlogged table shipped_part (
      host text not null references host on delete cascade,
      batch text not null,
      number int not null,
      bytes bytea not null,
      stored_at timestamptz not null default now(),
      primary key (host, batch, number)
    );
    -- Titles are found by a part of them. Where the extension is missing, that is slower.
    do $$ begin
      create extension if not exists pg_trgm;
      create index session_by_title on session using gin (lower(title) gin_trgm_ops);
    exception when others then null;
    end $$;
  `,
};

/** Contents that are in the blob store: their rows in `document` have `blob:HASH` instead of JSON. */
export const BLOBS: Migration = {
  name: 'blobs',
  statements: `
    create table blob (
      hash text primary key,
      stored_at timestamptz not null default now()
    );
    create index document_in_blob on document (json) where json like 'blob:%';
    -- Storing a tick is then cheaper. Where the server was built without it, nothing is different.
    do $$ begin
      alter table log alter envelopes set compression lz4;
    exception when others then null;
    end $$;
  `,
};

/** Until when no session of a host is given to another, because it pauses its agents only then. */
export const LEASES: Migration = {
  name: 'leases',
  statements: 'alter table shipped_host add column leased_until timestamptz;',
};

/** States of the folders of sessions, piece by piece. */
export const FILES: Migration = {
  name: 'files',
  statements: `
    -- Locked by whoever stores files of the host.
    create table file_host (
      host text primary key references host on delete cascade,
      bytes float8 not null default 0,
      -- When what nobody needs was last removed.
      swept_at timestamptz not null default now()
    );
    create table file_object (
      host text not null references host on delete cascade,
      id text not null,
      type text not null,
      size float8 not null,
      -- Compressed; empty if it is in the blob store, or not kept.
      content bytea not null,
      blob text,
      bytes int not null,
      not_kept text,
      used_at timestamptz not null default now(),
      primary key (host, id)
    );
    alter table file_object alter content set storage external;
    -- Sessions that a host has taken from another. Until that one has given them up, it may come back and go on with them.
    create table taken_session (
      session text not null references session (uri) on delete cascade,
      epoch int not null,
      from_host text not null references host on delete cascade,
      to_host text not null references host on delete cascade,
      -- The last number of the old host that the fleet had.
      up_to float8 not null,
      settled boolean not null default false,
      primary key (session, epoch)
    );
    create index taken_from on taken_session (from_host) where not settled;
    create index file_object_in_blob on file_object (blob) where blob is not null;
  `,
};
