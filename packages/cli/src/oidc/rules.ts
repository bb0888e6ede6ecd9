import { ROLES, type Role } from '@moorage/host';

/** Whom to let in, of those whom the provider knows. */
export interface AllowRule {
  readonly kind: 'address' | 'domain' | 'group' | 'subject';
  /** In lower case where case means nothing. */
  readonly value: string;
  readonly role: Role;
}

/** What a provider says of somebody, once its signature was checked. */
export interface Claims {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** Undefined if it is none. */
export function parseRule(text: string): AllowRule | undefined {
  const [, whom = '', named = ''] = /^(.{1,256})=([a-z]+)$/.exec(text) ?? [];
  const role = ROLES.find((known) => known === named);
  if (!role) return undefined;
  const [, prefix, value = ''] = /^(group|sub):(.+)$/.exec(whom) ?? [];
  if (prefix === 'group') return { kind: 'group', value, role };
  if (prefix === 'sub') return { kind: 'subject', value, role };
  if (/^@[^@\s]+\.[^@\s]+$/.test(whom)) return { kind: 'domain', value: whom.toLowerCase(), role };
  if (/^[^@\s]+@[^@\s]+$/.test(whom)) return { kind: 'address', value: whom.toLowerCase(), role };
  return undefined;
}

/** The highest role that any rule gives; undefined for those whom none names. */
export function roleOf(claims: Claims, rules: readonly AllowRule[], groupsClaim: string): Role | undefined {
  const address = addressOf(claims);
  const groups = groupsOf(claims[groupsClaim]);
  const matches = ({ kind, value }: AllowRule) => {
    if (kind === 'subject') return claims.sub === value;
    if (kind === 'group') return groups.includes(value);
    return kind === 'address' ? address === value : address?.endsWith(value) === true;
  };
  return ROLES.findLast((role) => rules.some((rule) => rule.role === role && matches(rule)));
}

/** The e-mail address in lower case, if the provider says that it is verified: with others, anybody could claim any. */
export function addressOf({ email, email_verified: isVerified }: Claims): string | undefined {
  const isAddress = typeof email === 'string' && /^[^@\s]+@[^@\s]+$/.test(email);
  return isAddress && isVerified === true ? email.toLowerCase() : undefined;
}

/** By which others know somebody: nothing that people can choose themselves. */
export function nameOf(claims: Claims): string {
  const name = (addressOf(claims) ?? claims.sub).replace(/[^\p{L}\p{N}._@+-]/gu, '-').slice(0, 64);
  return name.replace(/^[^\p{L}\p{N}]+/u, '') || 'somebody';
}

function groupsOf(claim: unknown): readonly unknown[] {
  return Array.isArray(claim) ? claim : [claim];
}
