/** There is exactly one root channel per host; connection-level methods name it too. */
export const ROOT_URI = 'ahp-root://';
