/** Bytes of one file that says what a customization is: more than anybody writes, and models read it whole. */
export const MAX_FILE_BYTES = 256 * 1024;

/** UTF-16 units of the front matter of a file. */
export const MAX_FRONT_MATTER_CHARS = 16 * 1024;

/** Uses of anchors in one front matter: each may stand for a lot, and nobody needs them. */
export const MAX_ALIASES = 10;

/** Children of one container. All of them travel whenever one changes. */
export const MAX_CHILDREN = 2_000;

/** Folders below a directory that are looked into, and how deep: commands and rules are sorted into some. */
export const MAX_FOLDERS = 500;
export const MAX_DEPTH = 5;

/** UTF-16 units of what clients get to see: each is in the state of every session. */
export const MAX_NAME_CHARS = 120;
export const MAX_DESCRIPTION_CHARS = 1_024;
export const MAX_MESSAGE_CHARS = 500;

/** Globs of one rule, and what one of them may be: each is held against each file that an agent uses. */
export const MAX_GLOBS = 50;
export const MAX_GLOB_CHARS = 300;

/** Plugins of one folder of plugins, and of one client. */
export const MAX_PLUGINS = 100;

/** MCP servers of one plugin, and arguments or variables of one of them. */
export const MAX_MCP_SERVERS = 50;
export const MAX_MCP_VALUES = 200;

/** Files that are read at the same time: enough to keep a disk busy, far from the limit on open files. */
export const READS_AT_ONCE = 16;

/** Milliseconds in which changes on disk gather before they are looked at: saving and checking out come in bursts. */
export const GATHER_MS = 200;

/** Looking takes at most one part in this many of the time, so that a storm of changes costs little. */
export const REST_FACTOR = 4;

/** Milliseconds for which what is known of a folder is kept when no session uses it: the next one often follows. */
export const LINGER_MS = 30_000;

/** What is asked of a client for one of its plugins: requests, bytes in all, and milliseconds in all. */
export const MAX_CLIENT_REQUESTS = 1_000;
export const MAX_CLIENT_BYTES = 4 * 1024 * 1024;
export const CLIENT_LOAD_MS = 30_000;

/** Milliseconds that a turn waits for plugins of a client that are still being read. */
export const TURN_WAIT_MS = 10_000;

/** Choices of users that are remembered of one session; the oldest go first. */
export const MAX_CHOICES = 1_000;
