import { createHash, randomBytes } from 'node:crypto';
import type { Blobs } from '@moorage/fleet';
import { describe, expect, it } from 'vitest';

/** The contract of Blobs. */
export function describeBlobs(name: string, open: () => Blobs): void {
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  describe(`${name} are Blobs`, () => {
    it('give back what they were given, also what is empty or large', async () => {
      for (const size of [0, 1, 5 * 1024 * 1024]) {
        const bytes = randomBytes(size);
        await open().put(hashOf(bytes), bytes);
        expect(Buffer.from((await open().get(hashOf(bytes))) ?? []).equals(bytes)).toBe(true);
      }
    });

    it('take the same again, at the same time', async () => {
      const bytes = randomBytes(1_000);
      const blobs = open();
      await Promise.all([1, 2, 3].map(() => blobs.put(hashOf(bytes), bytes)));
      expect(Buffer.from((await blobs.get(hashOf(bytes))) ?? []).equals(bytes)).toBe(true);
    });

    it('have nothing that they were not given, or that was deleted', async () => {
      const bytes = randomBytes(10);
      const blobs = open();
      expect(await blobs.get(hashOf(bytes))).toBeUndefined();
      await blobs.delete(hashOf(bytes));
      await blobs.put(hashOf(bytes), bytes);
      await blobs.delete(hashOf(bytes));
      expect(await blobs.get(hashOf(bytes))).toBeUndefined();
    });

    it('refuse a name that is no hash', async () => {
      const put = async () => open().put('../../etc/passwd', new Uint8Array());
      await expect(put()).rejects.toThrow('not the name of a blob');
      const get = async () => open().get('../../etc/passwd');
      await expect(get()).rejects.toThrow('not the name of a blob');
    });
  });
}
