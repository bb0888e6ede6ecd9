/** Milliseconds to check out a work tree: enough for a huge repository on a slow disk, with filters that fetch content. */
export const CHECKOUT_TIMEOUT_MS = 30 * 60_000;

/** Names tried for a branch when the wanted one is taken. */
export const MAX_BRANCH_NAMES = 100;

/**
 * Attempts of a command while another git process holds a lock, and milliseconds between them: some ten seconds, longer
 * than git holds its locks; one that stays belongs to a git that was killed.
 */
export const MAX_LOCKED_ATTEMPTS = 40;
export const LOCKED_RETRY_MS = 250;

/** Branches searched for a text. In a repository with more, only the first ones are found. */
export const MAX_BRANCHES_READ = 20_000;

/**
 * Milliseconds to wait for a git process that outlived its host before its work tree is removed. It ends by itself when it
 * next reports progress, because nobody reads that.
 */
export const ORPHAN_WAIT_MS = 10_000;

/**
 * Folders of a work tree that are searched for repositories before it is removed: several times those of a large project
 * with its dependencies, and some seconds of work. With more, the work tree is kept.
 */
export const MAX_SEARCHED_FOLDERS = 200_000;

/** Characters of the repository's name in the name of a work tree. */
export const MAX_NAME_CHARS = 40;
