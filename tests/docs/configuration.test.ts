import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../packages/cli/src/config/default-config.js';

it('docs/CONFIGURATION.md has the file that moorage config prints', () => {
  const page = readFileSync(new URL('../../docs/CONFIGURATION.md', import.meta.url), 'utf8');
  expect(page).toContain(`\`\`\`jsonc\n${DEFAULT_CONFIG}\`\`\``);
});
