import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

export const MultipleChatsCapabilitySchema = named(
  'MultipleChatsCapability',
  Type.Object({
    fork: optional(Type.Boolean()),
    sideChat: optional(Type.Boolean()),
  }),
);
/** Sessions may have more than one chat: new ones, and those copied from a turn or opened beside one. */
export type MultipleChatsCapability = Static<typeof MultipleChatsCapabilitySchema>;

export const MultipleWorkingDirectoriesCapabilitySchema = named(
  'MultipleWorkingDirectoriesCapability',
  Type.Object({
    immutablePrimary: optional(Type.Boolean()),
    primaryReplacement: optional(Type.Boolean()),
  }),
);
/** Sessions may have more than one working directory. The first is the primary one. */
export type MultipleWorkingDirectoriesCapability = Static<typeof MultipleWorkingDirectoriesCapabilitySchema>;

export const AgentCapabilitiesSchema = named(
  'AgentCapabilities',
  Type.Object({
    multipleChats: optional(MultipleChatsCapabilitySchema),
    multipleWorkingDirectories: optional(MultipleWorkingDirectoriesCapabilitySchema),
  }),
);
/** What an agent can do that not all can; what is absent, clients must not ask for. */
export type AgentCapabilities = Static<typeof AgentCapabilitiesSchema>;
