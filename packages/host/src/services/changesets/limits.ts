/** Operations that `undo` on one changeset takes back one after the other; older ones are in the folder's history. */
export const MAX_CHANGESET_UNDO = 1_000;

/** Hunks of a file that are tried one by one when a later change is in the way of undoing all of them. */
export const MAX_TRIED_HUNKS = 100;

/** Steps, and files of a step, in one answer: if the client does not say, and at most. */
export const HISTORY_PAGE = 50;
export const MAX_HISTORY_PAGE = 200;

/** Files that the list of steps names of each; the others are asked for by step. */
export const MAX_LISTED_FILES = 20;

/** Invocations that wait for one folder: enough for a person's clicks, and a bound on a runaway client. */
export const MAX_WAITING = 32;

/** Characters of the first line of a commit message, and of a branch name made from a title. */
export const SUBJECT_CHARS = 72;
export const BRANCH_CHARS = 40;

/** Characters of a commit message from a client: more than any person writes. */
export const MAX_COMMIT_MESSAGE_CHARS = 64 * 1024;

/** Files and hunks of a commit that are named to split it. */
export const MAX_SPLIT_PARTS = 10_000;

/** Turns that a commit message lists. */
export const MAX_LISTED_TURNS = 20;

/** Hunks of one file that are stored as reviewed. A file with more can still be marked as a whole. */
export const MAX_KEPT_HUNKS = 10_000;

/** Failures kept for later subscribers, over all changesets: far more than anyone looks at. */
export const MAX_REMEMBERED_FAILURES = 1_000;

/** Lines that one answer says the authors of: a client asks for more as it shows them. */
export const MAX_BLAMED_LINES = 10_000;

/** Characters of a turn's message that tell a person which one it was. */
export const MAX_BLAMED_MESSAGE_CHARS = 200;

/** Bytes of a file that is not tracked whose content is kept: settings and notes, not data. */
export const MAX_ELSEWHERE_FILE_BYTES = 256 * 1024;

/** Such files of one session, and changes of them in one turn: more than anybody reviews by hand. */
export const MAX_ELSEWHERE_FILES = 1_000;
export const MAX_ELSEWHERE_CHANGES = 200;

/** Bytes of such files that are read, and kept, while a turn runs. What is written after that is seen when it has ended. */
export const MAX_LIVE_BYTES = 4 * 1024 * 1024;

/** Entries of a folder among which ignored files are looked for when a turn begins, how many are remembered, and their bytes. */
export const MAX_REMEMBERED_ENTRIES = 100;
export const MAX_REMEMBERED_FILES = 32;
export const MAX_REMEMBERED_BYTES = 4 * 1024 * 1024;

/** Files in the comparison of two sessions, and bytes of one whose lines are counted for it. */
export const MAX_COMPARED_FILES = 1_000;
export const MAX_COMPARED_BYTES = 4 * 1024 * 1024;
