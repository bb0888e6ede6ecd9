import { setFlagsFromString } from 'node:v8';

/**
 * How far the heap may grow beyond what is in use before garbage is collected, in percent. On a machine with much memory V8
 * lets it grow to four times the size, which is fine for a short command but not for a host that runs for weeks beside
 * other programs. `bench/README.md` says what this saves.
 */
const HEAP_GROWTH_PERCENT = 50;

export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}
