// Puts the command line and all it imports into a few files: loading hundreds of modules costs half a second at each start.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.mjs';

const bundle = new URL('../bundle', import.meta.url);

rmSync(bundle, { recursive: true, force: true }); // chunks of earlier builds have other names
await build({ ...bundleOptions, outdir: fileURLToPath(bundle) });
