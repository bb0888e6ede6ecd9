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

/**
 * What people may do. A token from before was the owner of every host, and only some could manage the fleet: it stays an admin
 * at hosts, and `is_admin` stays as it is. So does what a gateway of before adds while others are upgraded.
 */
export const ROLES: Migration = {
  name: 'roles',
  statements: `
    alter table access_token add column role text not null default 'admin'
      check (role in ('view', 'review', 'steer', 'admin'));
  `,
};

/** What people did at gateways. Entries are chained by digests, and the table takes new ones only. */
export const GATEWAY_AUDIT: Migration = {
  name: 'gateway audit',
  statements: `
    create table gateway_audit (
      id bigint primary key,
      entry text not null,
      digest text not null
    );
    create function gateway_audit_stays() returns trigger language plpgsql as
      $$ begin raise exception 'the audit can only be added to'; end $$;
    create trigger stays before update or delete or truncate on gateway_audit
      for each statement execute function gateway_audit_stays();
  `,
};

/** Who signs in with a provider, and with what until when. */
export const SIGN_INS: Migration = {
  name: 'sign-ins',
  statements: `
    create table account (
      id text primary key,
      name text not null unique,
      created_at timestamptz not null default now(),
      barred_at timestamptz
    );
    create table sign_in (
      hash bytea primary key,
      name text not null references account (name) on delete cascade,
      role text not null check (role in ('view', 'review', 'steer', 'admin')),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
  `,
};
