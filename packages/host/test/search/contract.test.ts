import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { memoryConversationIndex } from '../../src/adapters/conversation-index-memory/index.js';
import { sqliteConversationIndex } from '../../src/adapters/conversation-index-sqlite/index.js';
import { describeConversationIndex } from '../../src/testing/conversation-index-contract.js';

const folder = mkdtempSync(join(tmpdir(), 'moorage-search-'));
let count = 0;
const file = () => join(folder, `${++count}.sqlite`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeConversationIndex('conversation-index-memory', memoryConversationIndex);
describeConversationIndex('conversation-index-sqlite', () => sqliteConversationIndex(file()));

it('an index in a file is still there when it is opened again, and made anew if it is damaged', () => {
  const path = file();
  const index = sqliteConversationIndex(path);
  index.put('ahp-session:/one', [{ chat: 'c', turnId: 't', text: 'kept' }]);
  index.complete('ahp-session:/one', 'v');
  index.close();
  const again = sqliteConversationIndex(path);
  expect(again.search('kept', { offset: 0, limit: 1 })).toHaveLength(1);
  again.close();
  const broken = file();
  writeFileSync(broken, 'this is not a database, and long enough to be taken for one'.repeat(100));
  const anew = sqliteConversationIndex(broken);
  expect(anew.sessions().size).toBe(0);
  anew.close();
});
