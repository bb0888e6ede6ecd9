export { createMemoryDisk, type MemoryDisk } from './disk.js';
export { createMemoryStore } from './store.js';
