import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type PersonRole, PersonRoleSchema } from './people.js';

// Our extensions, served by the gateway of a fleet at its root. All but the first need the role of an admin. Times are epoch milliseconds.

interface OfRoot {
  channel: 'ahp-root://';
}

const ROOT = { channel: Type.Literal('ahp-root://') };

export interface FleetHost {
  /** The id of the host. */
  id: string;
  /** What the machine calls itself. */
  name: string;
  /** What it was given to be found by. */
  labels: string[];
  /** Whether it can be reached. */
  state: 'here' | 'away' | 'revoked';
  /** When it joined, in milliseconds since the epoch. */
  enrolledAt: number;
  /** When a gateway last noted that it was there. */
  seenAt?: number | undefined;
  /** The version of its program, while it is there. */
  version?: string | undefined;
  /** How many of its sessions have a turn that runs or waits for somebody, while it is there. */
  runningSessions?: number | undefined;
  /** How many of its commits the fleet does not have yet, while it is there. */
  unshipped?: number | undefined;
}

export const FleetHostSchema = object<FleetHost>('FleetHost', {
  id: Type.String(),
  name: Type.String(),
  labels: Type.Array(Type.String()),
  state: Type.Enum(['here', 'away', 'revoked']),
  enrolledAt: Type.Integer(),
  seenAt: optional(Type.Integer()),
  version: optional(Type.String()),
  runningSessions: optional(Type.Integer({ minimum: 0 })),
  unshipped: optional(Type.Integer({ minimum: 0 })),
});

export interface ListHostsParams extends OfRoot {}
export const ListHostsParamsSchema = object<ListHostsParams>('ListHostsParams', ROOT);

export interface ListHostsResult {
  /** The hosts of the fleet. */
  items: FleetHost[];
}
export const ListHostsResultSchema = object<ListHostsResult>('ListHostsResult', { items: Type.Array(FleetHostSchema) });

export interface InviteHostParams extends OfRoot {
  /** What the host is to be found by. */
  labels: string[];
  /** Milliseconds for which the invitation is good. */
  validMs?: number | undefined;
}
export const InviteHostParamsSchema = object<InviteHostParams>('InviteHostParams', {
  ...ROOT,
  labels: Type.Array(Type.String()),
  validMs: optional(Type.Integer({ minimum: 1 })),
});

export interface InviteHostResult {
  /** Shown by the new host when it joins. It works once. */
  token: string;
  /** Until when it counts, in milliseconds since the epoch. */
  expiresAt: number;
  /** The addresses of the bus that the host dials. */
  bus: string[];
}
export const InviteHostResultSchema = object<InviteHostResult>('InviteHostResult', {
  token: Type.String(),
  expiresAt: Type.Integer(),
  bus: Type.Array(Type.String()),
});

export interface RevokeHostParams extends OfRoot {
  /** The id of the host. */
  host: string;
}
export const RevokeHostParamsSchema = object<RevokeHostParams>('RevokeHostParams', { ...ROOT, host: Type.String() });

export interface TakeSessionParams {
  /** The session. */
  channel: string;
  /** The id of the host that goes on with it. */
  host: string;
  /**
   * The folder on that host into which its files are put: one that is not there yet, or empty. Without it, a new one. Those of
   * further folders are put beside it: `FOLDER-2` and so on.
   */
  folder?: string | undefined;
}
export const TakeSessionParamsSchema = object<TakeSessionParams>('TakeSessionParams', {
  channel: Type.String(),
  host: Type.String(),
  folder: optional(Type.String()),
});

export interface TakeSessionResult {
  /** Where the session is served from now on, such as `/hosts/ID/`. */
  address: string;
  /** The folder with its files on the new host; absent if the session has none there. */
  folder?: string | undefined;
  /** The folders with the files of its other folders. */
  otherFolders?: string[] | undefined;
  /** How many files were put there. */
  files: number;
  /** How many were not, because their contents were too large to be kept, or could not be kept. */
  leftOut: number;
}
export const TakeSessionResultSchema = object<TakeSessionResult>('TakeSessionResult', {
  address: Type.String(),
  folder: optional(Type.String()),
  otherFolders: optional(Type.Array(Type.String())),
  files: Type.Integer({ minimum: 0 }),
  leftOut: Type.Integer({ minimum: 0 }),
});

export interface FleetToken {
  /** The name of the user that the token is for. */
  name: string;
  /** What it allows, on every host. */
  role: PersonRole;
  /** Whether it may manage hosts and tokens: always for an admin, but for tokens from before there were roles. */
  isAdmin: boolean;
  /** Only of those who have signed in with a provider. */
  expiresAt?: number | undefined;
}
export const FleetTokenSchema = object<FleetToken>('FleetToken', {
  name: Type.String(),
  role: PersonRoleSchema,
  isAdmin: Type.Boolean(),
  expiresAt: optional(Type.Integer()),
});

export interface ListTokensParams extends OfRoot {}
export const ListTokensParamsSchema = object<ListTokensParams>('ListTokensParams', ROOT);

export interface ListTokensResult {
  /** The tokens, without their secrets. */
  items: FleetToken[];
}
export const ListTokensResultSchema = object<ListTokensResult>('ListTokensResult', {
  items: Type.Array(FleetTokenSchema),
});

export interface AddTokenParams extends OfRoot {
  /** The name of the user that the token is for. */
  name: string;
  /** What it shall allow, on every host; an admin may also manage hosts and tokens. */
  role: PersonRole;
}
export const AddTokenParamsSchema = object<AddTokenParams>('AddTokenParams', {
  ...ROOT,
  name: Type.String(),
  role: PersonRoleSchema,
});

export interface AddTokenResult {
  /** The secret, which is said only now. */
  token: string;
}
export const AddTokenResultSchema = object<AddTokenResult>('AddTokenResult', { token: Type.String() });

export interface SetTokenRoleParams extends OfRoot {
  /** Whose it is. */
  name: string;
  /** What it shall allow from now on. */
  role: PersonRole;
}
export const SetTokenRoleParamsSchema = object<SetTokenRoleParams>('SetTokenRoleParams', {
  ...ROOT,
  name: Type.String(),
  role: PersonRoleSchema,
});

export interface RevokeTokenParams extends OfRoot {
  /** The name of the user that the token is for. */
  name: string;
}
export const RevokeTokenParamsSchema = object<RevokeTokenParams>('RevokeTokenParams', { ...ROOT, name: Type.String() });
