/** How long an agent may take, in milliseconds. Tests shorten these. */
export interface AcpTimeouts {
  /** To start. */
  readonly startMs: number;
  /** To make or load a session, or to change a setting of it. */
  readonly sessionMs: number;
  /** Silence in a turn that waits for nobody, after which the agent is ended. */
  readonly silenceMs: number;
  /** Such silence after which the user is told. */
  readonly quietMs: number;
  /** To end a cancelled turn, before its process is killed. */
  readonly cancelMs: number;
  /** Without a turn, after which the process of an agent that can resume its session is ended. */
  readonly idleMs: number;
  /** Between two looks at whether the agent's program is installed. */
  readonly installedMs: number;
}

export const DEFAULT_TIMEOUTS: AcpTimeouts = {
  startMs: 60_000, // the slowest real agent needs 3 s here, and ten times as long on a busy machine
  sessionMs: 60_000, // long histories are read, and MCP servers started
  silenceMs: 20 * 60_000, // agents silently retry when their model fails, but not for ever
  quietMs: 10_000, // agents retry a failing model for 45 to 75 s without a word
  cancelMs: 5_000, // the host itself waits a little longer
  idleMs: 15 * 60_000,
  installedMs: 5_000, // soon enough for somebody who has just installed it, and a dozen reads of folders
};
