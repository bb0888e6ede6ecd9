import type { Migration } from '../database/migrate.js';

/** Who belongs to the fleet, and who may use it. */
export const REGISTRY: Migration = {
  name: 'registry',
  statements: `
    create table host (
      id text primary key,
      name text not null,
      public_key text not null unique,
      labels text[] not null,
      enrolled_at timestamptz not null default now(),
      seen_at timestamptz,
      revoked_at timestamptz
    );
    create table enrolment (
      id text primary key,
      secret_hash bytea not null,
      labels text[] not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create table access_token (
      name text not null,
      hash bytea primary key,
      is_admin boolean not null,
      created_at timestamptz not null default now(),
      revoked_at timestamptz
    );
    create unique index on access_token (name) where revoked_at is null;
  `,
};
