/** Tool calls of one turn that are followed. More are ignored, so that no agent can fill the memory with ids. */
export const MAX_CALLS = 2_000;

/** UTF-16 units of a call's id that clients see; agents' own ids are far shorter. */
export const MAX_ID_CHARS = 200;

/** UTF-16 units of command output kept per call, the newest. Each change sends all of it to every client. */
export const MAX_OUTPUT_CHARS = 256 * 1024;

/** Pieces of content of a call that are shown. */
export const MAX_CONTENTS = 200;

/** Steps of a plan that are shown. */
export const MAX_PLAN_STEPS = 200;

/** Questions of a form, and choices of a question, that are shown. */
export const MAX_QUESTIONS = 50;
export const MAX_CHOICES = 200;

/** UTF-16 units of what an agent said in a turn that are kept, in case it has to be told again. */
export const MAX_SAID_CHARS = 100_000;

/** Commands of an agent that are read; nobody chooses from more. */
export const MAX_COMMANDS = 500;
