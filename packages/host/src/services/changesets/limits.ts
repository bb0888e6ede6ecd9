/** Operations of one changeset that can be undone, newest first: more than anybody remembers having done. */
export const MAX_UNDO_DEPTH = 50;

/** Invocations that wait for their turn on one folder: a person's clicks, and not a runaway client's. */
export const MAX_WAITING = 32;

/** Characters of the first line of a commit message, and of a branch name made from a title. */
export const SUBJECT_CHARS = 72;
export const BRANCH_CHARS = 40;

/** Turns that a commit message lists. */
export const MAX_LISTED_TURNS = 20;

/** Hunks that are remembered as reviewed in one file; a file with more is reviewed as a whole. */
export const MAX_KEPT_HUNKS = 10_000;

/** Failed invocations that late subscribers are told of, over all changesets: far more than anybody looks at. */
export const MAX_REMEMBERED_FAILURES = 1_000;
