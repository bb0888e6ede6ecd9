import { setFlagsFromString } from 'node:v8';

/**
 * How much more than what is in use the heap may hold before its garbage is collected, in percent. V8 by itself lets it
 * grow up to four times as large on a machine with much memory: well for a command that is soon over, not for a host that
 * stays for weeks beside everything else. In `bench/README.md` is what it saves.
 */
const HEAP_GROWTH_PERCENT = 50;

export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}
