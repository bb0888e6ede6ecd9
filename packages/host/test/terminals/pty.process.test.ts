import { expect, it } from 'vitest';
import { nodePtys } from '../../src/adapters/pty-node/index.js';
import { PtyError } from '../../src/ports/pty.js';
import { describePtys } from '../../src/testing/pty-contract.js';

describePtys('pty-node', () => nodePtys());

it('pty-node says what to do where the library cannot be loaded, and loads it only when it is needed', () => {
  const ptys = nodePtys(() => {
    throw new Error('no binary');
  });
  const options = { file: '/bin/sh', args: [], cwd: '/', env: {}, cols: 80, rows: 24 };
  expect(() => ptys.spawn(options)).toThrow(PtyError);
  expect(() => ptys.spawn(options)).toThrow(/install moorage again/);
});
