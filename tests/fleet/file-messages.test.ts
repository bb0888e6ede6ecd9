import { createHash } from 'node:crypto';
import { serveFiles } from '@moorage/fleet';
import { createMemoryBroker } from '@moorage/host';
import { afterEach, expect, it } from 'vitest';
import { writeObjects } from '../../packages/fleet/src/files/messages.js';
import { type KeptObject, packObject } from '../../packages/fleet/src/files/objects.js';
import { objectsIn } from '../../packages/fleet/src/files/records.js';
import { inParts } from '../../packages/fleet/src/keeping/messages.js';
import type { FleetFiles } from '../../packages/fleet/src/store/fleet-store.js';

const broker = createMemoryBroker();
const stored: KeptObject[] = [];
const files: FleetFiles = {
  lacking: async (_host, ids) => ids,
  put: async (_host, objects) => stored.push(...objects) > 0,
  get: async () => [],
  removeUnused: async () => 0,
};
const parts = { put: async () => {}, take: async () => undefined };
serveFiles({ bus: broker.connect(), store: { files, parts }, maxHostBytes: 1 });
const bus = broker.connect();
afterEach(() => stored.splice(0));

async function put(objects: readonly KeptObject[]): Promise<unknown> {
  const [message] = inParts(writeObjects(objects), 'batch', 1_000_000);
  const answer = await bus.request('ahp.h.one.files', message ?? new Uint8Array(), 300);
  return JSON.parse(new TextDecoder().decode(answer));
}

function idOf(type: string, content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
}

const content = Buffer.from('right');
const right = () => packObject(idOf('blob', content), { type: 'blob', content });

it('stores what is what its id says, and reasons for what is not kept', async () => {
  const lost = await packObject('a'.repeat(40), undefined);
  expect(await put([await right(), lost])).toEqual({ answer: 'kept' });
  expect(stored.map(({ notKept }) => notKept?.reason)).toEqual([undefined, 'lost']);
});

it.each<[string, () => Promise<KeptObject>]>([
  ['another content', async () => ({ ...(await right()), id: idOf('blob', Buffer.from('wrong')) })],
  ['another type', async () => ({ ...(await right()), type: 'tree' })],
  ['another size', async () => ({ ...(await right()), size: 1 })],
  ['bytes that are not compressed', async () => ({ ...(await right()), deflated: Buffer.from('plain') })],
  ['no content and no reason', async () => ({ ...(await right()), deflated: new Uint8Array() })],
  ['a folder without its content', async () => ({ ...(await packObject('b'.repeat(40), undefined)), type: 'tree' })],
  ['no id', async () => ({ ...(await right()), id: '../../etc/passwd' })],
  [
    'a folder that is none',
    () => {
      const wrong = Buffer.from('no folder');
      return packObject(idOf('tree', wrong), { type: 'tree', content: wrong });
    },
  ],
])('does not store %s', async (_what, wrong) => {
  await expect(put([await right(), await wrong()])).rejects.toThrow();
  expect(stored).toEqual([]);
});

it.each([
  ['a damaged record', '{"turnId":"t",', []],
  ['what is no record', '{"data":"turnId"}', []],
  [
    'ids that are none',
    '{"turnId":"t","begin":"../x","end":{"files":[{"after":{"contentId":"ahp-content:/x"}},7]}}',
    [],
  ],
  [
    'a submodule',
    `{"turnId":"t","begin":"","end":{"files":[{"after":{"mode":"160000","contentId":"${'a'.repeat(40)}"}}]}}`,
    [],
  ],
  [
    'states, contents and steps',
    JSON.stringify({
      turnId: 't',
      begin: '1'.repeat(40),
      end: {
        state: '2'.repeat(40),
        files: [{ after: { contentId: '3'.repeat(40) }, steps: [{ before: { contentId: '4'.repeat(40) } }] }],
      },
    }),
    ['1', '2', '3', '4'].map((digit) => digit.repeat(40)),
  ],
])('finds in %s what is to be shipped', (_what, json, ids) => {
  expect(objectsIn(json)).toEqual(ids);
});
