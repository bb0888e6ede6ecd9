export { createMemoryDisk } from './disk.js';
export { createMemoryStore } from './store.js';
