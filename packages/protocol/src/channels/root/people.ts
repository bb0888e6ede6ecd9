import { type EnumValue, enumSchema, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

// Our extensions: who may use a host besides its owner (docs/PEOPLE.md). Times are epoch milliseconds.

/** What somebody may do, from the least to the most: each may do all that those before it may. */
export const PersonRole = {
  View: 'view',
  Review: 'review',
  Steer: 'steer',
  Admin: 'admin',
} as const;
export type PersonRole = EnumValue<typeof PersonRole>;
export const PersonRoleSchema = enumSchema('PersonRole', PersonRole);

export interface PersonEntry {
  /** Of the person, or of the link. */
  name: string;
  /** What the person may do here: `view` < `review` < `steer` < `admin`. */
  role: PersonRole;
  /** Only for a link: the session that it is for. */
  session?: URI | undefined;
  /** Only for a link. */
  expiresAt?: number | undefined;
  /** When they were invited, or the link was made. */
  addedAt: number;
  /** Devices that have signed in. */
  devices: number;
  /** Whether the invitation has not been used yet. */
  isInvited: boolean;
  /** Whether somebody is connected with it now. */
  isHere: boolean;
}

export const PersonEntrySchema = object<PersonEntry>('PersonEntry', {
  name: Type.String(),
  role: PersonRoleSchema,
  session: optional(URISchema),
  expiresAt: optional(Type.Integer()),
  addedAt: Type.Integer(),
  devices: Type.Integer(),
  isInvited: Type.Boolean(),
  isHere: Type.Boolean(),
});

export interface ListPeopleParams {
  channel: 'ahp-root://';
}
export const ListPeopleParamsSchema = object<ListPeopleParams>('ListPeopleParams', {
  channel: Type.Literal('ahp-root://'),
});

export interface ListPeopleResult {
  /** In the order in which they were added. */
  items: PersonEntry[];
}
export const ListPeopleResultSchema = object<ListPeopleResult>('ListPeopleResult', {
  items: Type.Array(PersonEntrySchema),
});

export interface InvitePersonParams {
  channel: 'ahp-root://';
  /** By which others will know them. */
  name: string;
  /** What they shall be able to do. */
  role: PersonRole;
}
export const InvitePersonParamsSchema = object<InvitePersonParams>('InvitePersonParams', {
  channel: Type.Literal('ahp-root://'),
  name: Type.String(),
  role: PersonRoleSchema,
});

export interface InvitePersonResult {
  /** Is exchanged for a token once, as a pairing code is. */
  secret: string;
  /** Until when it can be exchanged. */
  expiresAt: number;
  /** Where the person finds the page; absent if the host cannot be reached from elsewhere. */
  page?: string | undefined;
}
export const InvitePersonResultSchema = object<InvitePersonResult>('InvitePersonResult', {
  secret: Type.String(),
  expiresAt: Type.Integer(),
  page: optional(Type.String()),
});

export interface RevokePersonParams {
  channel: 'ahp-root://';
  /** The name of a person or of a link. */
  name: string;
}
export const RevokePersonParamsSchema = object<RevokePersonParams>('RevokePersonParams', {
  channel: Type.Literal('ahp-root://'),
  name: Type.String(),
});

export interface ShareSessionParams {
  /** The URI of the session. */
  channel: URI;
  /** What whoever has the link may do; not `admin`. */
  role: PersonRole;
  /** When the link ends. */
  expiresAt: number;
}
export const ShareSessionParamsSchema = object<ShareSessionParams>('ShareSessionParams', {
  channel: URISchema,
  role: PersonRoleSchema,
  expiresAt: Type.Integer(),
});

export interface ShareSessionResult {
  /** By which the link can be revoked. */
  name: string;
  /** Whoever has it may use the session. */
  token: string;
  /** Where others find the page; absent if the host cannot be reached from elsewhere. */
  page?: string | undefined;
}
export const ShareSessionResultSchema = object<ShareSessionResult>('ShareSessionResult', {
  name: Type.String(),
  token: Type.String(),
  page: optional(Type.String()),
});
