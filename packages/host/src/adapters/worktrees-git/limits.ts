/** Milliseconds to fill a work tree: a huge repository on a slow disk, with filters that fetch content. */
export const CHECKOUT_TIMEOUT_MS = 30 * 60_000;

/** Names tried for a branch when the wanted one is taken. */
export const MAX_BRANCH_NAMES = 100;

/** Branches that are looked through for a text; with more the first ones have to do. */
export const MAX_BRANCHES_READ = 20_000;

/**
 * Milliseconds for which a git that outlived its host may go on in a work tree before that is taken away under it. It ends
 * by itself when it next says how far it is and nobody listens.
 */
export const ORPHAN_WAIT_MS = 10_000;

/** Characters of the repository's name in the name of a work tree: enough to recognize it. */
export const MAX_NAME_CHARS = 40;
