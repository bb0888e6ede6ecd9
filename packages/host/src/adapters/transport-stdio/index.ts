export { type StdioOptions, serveStdio } from './serve.js';
