export type { Problem } from './explain.js';
export { type PublishedSchema, publishSchemas } from './publish.js';
export { stripNulls } from './strip-nulls.js';
export { command, lenient, strict, ValidationError, type Validator } from './validator.js';
