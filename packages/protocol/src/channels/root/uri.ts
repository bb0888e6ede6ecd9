/** There is exactly one root channel per host (B-38); connection-level methods name it too. */
export const ROOT_URI = 'ahp-root://';
