/** Pairs of deleted and created files that git compares to find renames; past it they show as deleted and created. */
export const RENAME_LIMIT = 1_000;

/** Milliseconds of quiet after a change before it is looked at: an agent writes files in bursts. */
export const WATCH_QUIET_MS = 100;

/** Milliseconds after which a change is looked at even though more keep coming. */
export const WATCH_PATIENCE_MS = 1_000;

/** Files that differ between two states, up to which they are compared in this process; git is faster with more. */
export const MAX_QUICK_DIFFERENCES = 5_000;

/** Files whose lines are counted in this process for one comparison; git is faster with more. */
export const MAX_QUICK_READS = 32;

/** Bytes of a file whose lines are counted in this process: more would keep others waiting. */
export const MAX_QUICK_FILE_BYTES = 1024 * 1024;

/** Objects, and their bytes, that are copied from the user's repository in this process; git packs more. */
export const MAX_QUICK_COPIES = 64;
export const MAX_QUICK_COPIED_BYTES = 1024 * 1024;

/** Touched paths up to which just they are read again; git is faster with more. */
export const MAX_QUICK_PATHS = 200;

/** Bytes that are read again and stored in this process for one look, some 40 ms of work; git does more in one of its own. */
export const MAX_QUICK_LOOK_BYTES = 4 * 1024 * 1024;

/** Ignored paths that are remembered: what builds and tests write again and again. */
export const MAX_REMEMBERED_IGNORED = 2_000;

/** Bytes of a file whose content is kept. Larger ones are listed with their size: a video must not fill the disk twice. */
export const MAX_KEPT_FILE_BYTES = 50 * 1024 * 1024;

/** Milliseconds after which a folder that could not be watched is tried again, and at most after many failures. */
export const WATCH_RETRY_MS = 2_000;
export const MAX_WATCH_RETRY_MS = 60_000;

/** Milliseconds that a folder stays watched after it was last looked at: the next prompt comes within minutes. */
export const TRACKER_LINGER_MS = 15 * 60_000;

/** Milliseconds that a process which reads contents stays after it was last asked. */
export const READER_LINGER_MS = 60_000;

/** Milliseconds that what is known of a folder stays in memory after it was last looked at. */
export const FOLDER_LINGER_MS = 15 * 60_000;

/** Milliseconds to wait for the watcher to catch up before everything is looked at instead. */
export const DRAIN_PATIENCE_MS = 2_000;

/** Bytes that may be kept for one folder: room for years of source code, and a bound for one that is full of data. */
export const MAX_KEPT_TOTAL_BYTES = 2 * 1024 * 1024 * 1024;

/** Bytes of new content from which on it is asked how full the store is: that takes a look at each file in it. */
export const WORTH_MEASURING_BYTES = 16 * 1024 * 1024;

/** Bytes of a file up to which its lines are counted; git takes larger ones as binary. */
export const MAX_DIFFED_FILE_BYTES = 16 * 1024 * 1024;

/** Changed files from which on they are packed at once. */
export const BULK_FILES = 200;

/** Files that are packed at least before it is said how far it is: each time the list of all files is written. */
export const BULK_STEP = 2_000;

/** Changed files that are shown before their lines are counted. */
export const FIRST_FILES = 500;

/** Milliseconds for which the size of what is kept is taken as it was: it is shown in megabytes, and each file is asked. */
export const KEPT_BYTES_MS = 10 * 60_000;

/** Objects that are a file each, from which on they are packed. */
export const MAX_LOOSE_OBJECTS = 3_000;

/** Packs of one store from which on the small ones are joined: git looks into each of them in turn. */
export const MAX_PACKS = 20;
