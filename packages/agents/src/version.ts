import { createRequire } from 'node:module';

/** The version of this package. In the bundle of the command line it is that of the command line. */
export const VERSION: string = createRequire(import.meta.url)('../package.json').version;
