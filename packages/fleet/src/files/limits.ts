/** Bytes of a file whose content is shipped with the states of its folder. Of larger ones the fleet knows only that they were there. */
export const MAX_SHIPPED_FILE_BYTES = 8 * 1024 * 1024;

/** Of one state: files and folders that the fleet lacks, and their bytes as shipped. A folder with more is data, not source code. */
export const MAX_STATE_OBJECTS = 50_000;
export const MAX_STATE_BYTES = 256 * 1024 * 1024;

/** Bytes of files that the fleet keeps for one host, compressed, unless the gateways are told another number. */
export const MAX_HOST_FILE_BYTES = 1024 * 1024 * 1024;

/** Turns whose files wait to be shipped; of more, the oldest are left out until the host starts again. */
export const MAX_WAITING = 1_000;

/** Sessions whose files a host compares with the fleet when it starts: the newest. */
export const MAX_COMPARED_SESSIONS = 200;

/** Ids in one question. */
export const MAX_ASKED = 2_000;

/** Bytes of one message: small, so that what sessions do never waits for long behind files. */
export const FILE_MESSAGE_BYTES = 256 * 1024;

/** Bytes of a list before objects: some thousand of them. */
export const MAX_LIST_BYTES = 512 * 1024;
