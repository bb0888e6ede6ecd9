export type { Static, TObject, TSchema } from '../common/type.js';
export type { Problem } from './explain.js';
export type { PublishedSchema } from './publish.js';
export { command, lenient, strict, ValidationError, type Validator } from './validator.js';
