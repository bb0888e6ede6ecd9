/** Tokens assumed for a model whose window is not configured: the smallest of current coding models. */
export const DEFAULT_CONTEXT_WINDOW = 128_000;

/** Tokens. With fewer, all tools and instructions would leave no room to work in, so the model gets few and short ones. */
export const SMALL_WINDOW = 8_000;

/** The share of the context window that one result may take. */
export const RESULT_SHARE = 0.25;

/** Requests to the model in one turn, unless configured. A model that needs more has most likely lost its way. */
export const DEFAULT_MAX_STEPS = 100;

/** Attempts at one request, and milliseconds before the second; each further wait is twice as long. */
export const MAX_ATTEMPTS = 5;
export const FIRST_RETRY_MS = 1_000;

/** Milliseconds that an endpoint may ask us to wait (Retry-After). If it asks for more, the turn fails and says so. */
export const MAX_RETRY_AFTER_MS = 120_000;

/** Milliseconds without a byte after which an answer counts as stuck: big models think for minutes. */
export const ANSWER_IDLE_MS = 5 * 60_000;

/** UTF-16 units of one answer, tool inputs included. A model that says more is repeating itself. */
export const MAX_ANSWER_CHARS = 4 * 1024 * 1024;

/** Tool calls in one answer. A model that wants more has lost its way. */
export const MAX_CALLS_PER_STEP = 32;

/** UTF-16 units of a tool's result that the model gets: a quarter of a small context window. */
export const MAX_RESULT_CHARS = 40_000;

/** UTF-16 units of instructions taken from one file of the workspace. */
export const MAX_INSTRUCTION_CHARS = 32_000;

/** UTF-16 units of an endpoint's error message that users see. */
export const MAX_DETAIL_CHARS = 300;

/** Bytes of one attached image: as much as the common endpoints take. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
