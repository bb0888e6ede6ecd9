/** UTF-16 units of all rules together: they are part of every request. */
export const MAX_RULES_CHARS = 100_000;

/** Skills that the model is told about, and UTF-16 units for each: they are part of every request. */
export const MAX_LISTED_SKILLS = 200;
export const MAX_LISTED_CHARS = 300;

/** Names suggested when the model asks for a skill that does not exist. */
export const MAX_SUGGESTED = 30;
