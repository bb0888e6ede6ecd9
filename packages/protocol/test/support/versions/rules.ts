/** The versions that have chats, each with reducers of its own. */
export const CHAT_VERSIONS = ['0.9', '0.7', '0.6', '0.5.2', '0.5.1', '0.5.0', '0.4'] as const;
export type ChatVersion = (typeof CHAT_VERSIONS)[number];

/** In what the reducers of a version differ from those of the next older one. */
export interface Rules {
  /** 0.5.0: sessions without a summary, any number of active clients, drafts and activity of chats. */
  readonly isFlat: boolean;
  /** 0.5.1: a list of what waits for the user; turns that are loaded later; calls have an intention. */
  readonly listsInputNeeded: boolean;
  /** 0.5.2: answered questions are recorded, clients start servers, children are switched. */
  readonly recordsAnswers: boolean;
  /** 0.6: questions are parts of the turn, times come with actions, calls wait for tokens and can be described anew. */
  readonly hasInputParts: boolean;
  /** 0.7: several folders; a call can be refined; input may be kept elsewhere. */
  readonly hasDirectories: boolean;
  /** 0.9: errors are parts, programs have a lifecycle, decisions have a scope. */
  readonly hasErrorParts: boolean;
}

export function rulesOf(version: ChatVersion): Rules {
  const age = CHAT_VERSIONS.indexOf(version);
  const since = (first: ChatVersion) => age <= CHAT_VERSIONS.indexOf(first);
  return {
    isFlat: since('0.5.0'),
    listsInputNeeded: since('0.5.1'),
    recordsAnswers: since('0.5.2'),
    hasInputParts: since('0.6'),
    hasDirectories: since('0.7'),
    hasErrorParts: since('0.9'),
  };
}
