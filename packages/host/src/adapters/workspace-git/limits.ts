/** Pairs of deleted and created files that git compares to find renames; beyond it they show as deleted and created. */
export const RENAME_LIMIT = 1_000;

/** Milliseconds of quiet after a change before it is looked at: an agent writes files in bursts. */
export const WATCH_QUIET_MS = 100;

/** Milliseconds after which a change is looked at even though more keep coming. */
export const WATCH_PATIENCE_MS = 1_000;

/** Differing files up to which two states are compared in this process; git is faster with more. */
export const MAX_IN_PROCESS_DIFFERENCES = 5_000;

/** Files whose lines are counted in this process for one comparison; git is faster with more. */
export const MAX_IN_PROCESS_COUNTS = 32;

/** Bytes of a file whose lines are counted in this process: a larger one would block the host for too long. */
export const MAX_IN_PROCESS_FILE_BYTES = 1024 * 1024;

/** Objects, and their bytes, that this process copies from the user's repository; more are packed by git. */
export const MAX_COPIES = 64;
export const MAX_COPIED_BYTES = 1024 * 1024;

/** Reported paths that are read in this process; git is faster with more. */
export const MAX_READ_PATHS = 2_000;

/** Bytes that are read and stored in this process for one checkpoint, some 60 ms of work; more is left to git. */
export const MAX_READ_BYTES = 4 * 1024 * 1024;

/** Ignored paths that are remembered: files that builds and tests write again and again. */
export const MAX_REMEMBERED_IGNORED = 2_000;

/** Bytes of a file whose content is kept. Of larger ones only the size is: a video must not fill the disk twice. */
export const MAX_KEPT_FILE_BYTES = 50 * 1024 * 1024;

/** Milliseconds until a folder that could not be watched is tried again: after the first failure, and at most. */
export const WATCH_RETRY_MS = 2_000;
export const MAX_WATCH_RETRY_MS = 60_000;

/** Milliseconds that a folder stays watched after it was last looked at: the next prompt comes within minutes. */
export const TRACKER_LINGER_MS = 15 * 60_000;

/** Milliseconds that the git process that reads contents stays after its last use; up to twice as long. */
export const READER_LINGER_MS = 60_000;

/** Milliseconds that a folder's objects stay in memory after it was last looked at. */
export const FOLDER_LINGER_MS = 15 * 60_000;

/** Milliseconds until permissions are read after a checkpoint for a view: when its first files are shown. */
export const MODES_DELAY_MS = 500;

/** Bytes that may be kept for one folder: room for years of source code, and a bound for a folder full of data. */
export const MAX_KEPT_TOTAL_BYTES = 2 * 1024 * 1024 * 1024;

/** Bytes of new content after which the store is measured again, which stats each file in it. */
export const WORTH_MEASURING_BYTES = 16 * 1024 * 1024;

/** Bytes of a file up to which its lines are counted; git treats larger ones as binary. */
export const MAX_DIFFED_FILE_BYTES = 16 * 1024 * 1024;

/**
 * New files that one scan takes in, some five seconds of work. Folders with more are left out, and users are told: that
 * many are data, and nobody reviews them.
 */
export const MAX_NEW_FILES = 50_000;

/** Files beyond which they are written as one pack: a file for each takes three times as long. */
export const BULK_FILES = 200;

/** Fewest files to pack between two progress reports: each step rewrites the list of all files. */
export const BULK_STEP = 2_000;

/** Changed files that are shown while git still counts lines. */
export const FIRST_FILES = 500;

/** Milliseconds for which a measured store size is reused: it is shown in megabytes, and measuring stats every file. */
export const KEPT_BYTES_MS = 10 * 60_000;

/** Loose objects (a file each) beyond which they are packed. */
export const MAX_LOOSE_OBJECTS = 3_000;

/** Packs of one store beyond which the small ones are joined: git searches each pack in turn. */
export const MAX_PACKS = 20;
