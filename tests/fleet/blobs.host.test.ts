import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Blobs, createPostgresFleetStore, FLEET_TABLES, filesBlobs, migrate, s3Blobs } from '@moorage/fleet';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeBlobs } from '../support/fleet/describe-blobs.js';
import { enrolHost, ShippingStore, sessionOf } from '../support/fleet/describe-fleet-store.js';
import { openPglite } from '../support/fleet/pglite.js';

const folder = mkdtempSync(join(tmpdir(), 'moorage-blobs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeBlobs('files', () => filesBlobs(join(folder, 'files')));

const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

describe('a bucket', () => {
  let url = '';
  const configureBuckets = [{ name: 'fleet' }];
  const server = new S3rver({ port: 0, silent: true, directory: join(folder, 's3'), configureBuckets });
  beforeAll(async () => {
    const { port } = await server.run();
    url = `http://127.0.0.1:${port}/fleet/some/prefix/`;
  });
  afterAll(() => server.close());

  describeBlobs('objects of S3', () => s3Blobs({ url, ...keys }));

  it('says what is wrong: a wrong key, a bucket that is not there', async () => {
    const hash = '0'.repeat(64);
    const stranger = s3Blobs({ url, ...keys, accessKeyId: 'stranger' });
    await expect(stranger.put(hash, new Uint8Array(1))).rejects.toThrow('answered PUT with 403');
    const nowhere = s3Blobs({ url: url.replace('/fleet/', '/nowhere/'), ...keys });
    await expect(nowhere.put(hash, new Uint8Array(1))).rejects.toThrow('answered PUT with 404');
  });
});

it('keeps large contents of sessions beside the database, once, and only as long as somebody has them', async () => {
  const database = openPglite();
  await migrate(database, FLEET_TABLES);
  const files = filesBlobs(join(folder, 'beside'));
  const held = new Set<string>();
  const blobs: Blobs = {
    get: files.get,
    put: async (hash, bytes) => {
      await files.put(hash, bytes);
      held.add(hash);
    },
    delete: async (hash) => {
      await files.delete(hash);
      held.delete(hash);
    },
  };
  const fleet = createPostgresFleetStore(database, { blobs, maxInlineBytes: 1_000 });
  const host = new ShippingStore(await enrolHost(database, 'one'));
  const large = JSON.stringify({ data: 'ü'.repeat(2_000) });
  const put = (key: string, session: string, json: string) => ({ collection: 'content', key, session, json }) as const;
  host.create('a');
  host.create('b', { disposedAt: 5 });
  const documents = [put('x', sessionOf('a'), large), put('y', sessionOf('b'), large), put('z', sessionOf('a'), '"z"')];
  host.store.commit({ documents });
  await fleet.append([host.next()]);
  expect(await fleet.sessions.document(host.host, 'content', 'x')).toBe(large);
  expect(await fleet.sessions.documents(sessionOf('a'))).toEqual([large, '"z"']);
  expect(held.size).toBe(1);
  const [row] = await database.query<{ most: number }>('select max(length(json)) as most from document');
  expect(row?.most).toBeLessThan(1_000);

  const retain = async () => {
    await database.execute("update blob set stored_at = stored_at - interval '2 days'");
    await fleet.retain({ disposedBefore: 6, loggedBefore: 0 });
  };
  await retain();
  expect(held.size).toBe(1); // the other session has it
  host.position = host.feed.last;
  host.store.commit({ documents: [{ collection: 'content', key: 'x', json: undefined }] });
  await fleet.append([host.next()]);
  await fleet.retain({ disposedBefore: 6, loggedBefore: 0 });
  await retain();
  expect(held.size).toBe(0);
  await database.close();
});
