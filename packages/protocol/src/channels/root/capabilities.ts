import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** Sessions may have more than one chat: new ones, and those copied from a turn or opened beside one. */
export interface MultipleChatsCapability {
  /** Whether a chat can begin as a copy of another, up to a turn. */
  fork?: boolean | undefined;
  /** Whether a chat can be about a part of another. */
  sideChat?: boolean | undefined;
}

export const MultipleChatsCapabilitySchema = object<MultipleChatsCapability>('MultipleChatsCapability', {
  fork: optional(Type.Boolean()),
  sideChat: optional(Type.Boolean()),
});

/** Sessions may have more than one working directory. The first is the primary one. */
export interface MultipleWorkingDirectoriesCapability {
  /** Whether the main folder stays what it was at the beginning. */
  immutablePrimary?: boolean | undefined;
  /** Whether the main folder can be replaced by another. */
  primaryReplacement?: boolean | undefined;
}

export const MultipleWorkingDirectoriesCapabilitySchema = object<MultipleWorkingDirectoriesCapability>(
  'MultipleWorkingDirectoriesCapability',
  {
    immutablePrimary: optional(Type.Boolean()),
    primaryReplacement: optional(Type.Boolean()),
  },
);

/** What an agent can do that not all can; what is absent, clients must not ask for. */
export interface AgentCapabilities {
  /** Present if sessions can have several chats. */
  multipleChats?: MultipleChatsCapability | undefined;
  /** Present if sessions can have several folders. */
  multipleWorkingDirectories?: MultipleWorkingDirectoriesCapability | undefined;
}

export const AgentCapabilitiesSchema = object<AgentCapabilities>('AgentCapabilities', {
  multipleChats: optional(MultipleChatsCapabilitySchema),
  multipleWorkingDirectories: optional(MultipleWorkingDirectoriesCapabilitySchema),
});
