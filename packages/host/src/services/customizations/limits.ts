/** Bytes of one customization file: more than anyone writes, and models read it whole. */
export const MAX_FILE_BYTES = 256 * 1024;

/** UTF-16 units of a file's front matter. */
export const MAX_FRONT_MATTER_CHARS = 16 * 1024;

/** YAML aliases in one front matter: each may expand to a lot, and nobody needs them. */
export const MAX_ALIASES = 10;

/** Children per container. All of them are sent whenever one changes. */
export const MAX_CHILDREN = 2_000;

/** Folders searched below a directory, and depth: people sort commands and rules into a few. */
export const MAX_FOLDERS = 500;
export const MAX_DEPTH = 5;

/** UTF-16 units of texts for clients: each is in the state of every session. */
export const MAX_NAME_CHARS = 120;
export const MAX_DESCRIPTION_CHARS = 1_024;
export const MAX_MESSAGE_CHARS = 500;

/** Globs per rule, and characters per glob: each is matched against every file an agent uses. */
export const MAX_GLOBS = 50;
export const MAX_GLOB_CHARS = 300;

/** Plugins per plugin folder, and per client. */
export const MAX_PLUGINS = 100;

/** MCP servers per plugin, and arguments or variables per server. */
export const MAX_MCP_SERVERS = 50;
export const MAX_MCP_VALUES = 200;

/** Milliseconds of changes gathered before files are read again: saves and checkouts come in bursts. */
export const GATHER_MS = 200;

/** The pause after a read is this many times its duration, so that a storm of changes costs little. */
export const REST_FACTOR = 4;

/** Milliseconds a catalogue is kept when no session uses it: the next session often follows soon. */
export const LINGER_MS = 30_000;

/** Limits on reading one plugin from a client: requests, bytes in all, and milliseconds in all. */
export const MAX_CLIENT_REQUESTS = 1_000;
export const MAX_CLIENT_BYTES = 4 * 1024 * 1024;
export const CLIENT_LOAD_MS = 30_000;

/** Milliseconds a turn waits for customizations that are still being read. */
export const TURN_WAIT_MS = 10_000;

/** Users' choices remembered per session; the oldest go first. */
export const MAX_CHOICES = 1_000;
