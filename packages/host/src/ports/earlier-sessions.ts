/** Sessions that an agent had without this host, for example in a terminal. */
export interface EarlierSessions {
  /** Those of a folder, newest first as far as the agent says. Rejects with an AgentError if it cannot list them. */
  list(folder: string): Promise<readonly EarlierSession[]>;
  /** What was said in one, oldest first. Rejects with an AgentError if it cannot be continued. */
  read(folder: string, id: string): Promise<readonly EarlierTurn[]>;
  /** What a chat needs as `resumeState` to continue it. */
  resumeState(id: string): unknown;
}

export interface EarlierSession {
  /** The agent's own. */
  readonly id: string;
  /** What the agent calls it. */
  readonly title?: string | undefined;
  /** ISO time of the last change. */
  readonly updatedAt?: string | undefined;
}

/** Words only: what tools did then is not known in detail. */
export interface EarlierTurn {
  /** What the user said. */
  readonly message: string;
  /** What the agent answered. */
  readonly answer: string;
}
