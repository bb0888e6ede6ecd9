#!/usr/bin/env node
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// From Node 22 on, compiled code is kept for the next start: in a folder of the user, because whoever can write there can run code.
module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'moorage', 'compiled'));
await import('../bundle/moorage.js');
