import { type Bus, type BusMessage, type BusSubscription, type Log, silentLog } from '@moorage/host';
import { readPart } from '../keeping/messages.js';
import type { FleetFiles, FleetParts } from '../store/fleet-store.js';
import { type FilesAnswer, filesSubject, readLacking, readObjects } from './messages.js';
import { entriesOf, unpackObject } from './objects.js';

export interface FileKeeperOptions {
  readonly bus: Bus;
  readonly store: { readonly files: FleetFiles; readonly parts: FleetParts };
  /** Bytes that are kept of each host; 0 to keep no files. */
  readonly maxHostBytes: number;
  readonly log?: Log;
}

/** All gateways share the work. */
const GROUP = 'keepers';

/** Stores the states of folders that hosts ship. What is not what its id says is refused. */
export function serveFiles({ bus, store, maxHostBytes, log = silentLog }: FileKeeperOptions): BusSubscription {
  const answer = async ({ subject, body }: BusMessage): Promise<FilesAnswer> => {
    if (maxHostBytes === 0) return { answer: 'off' };
    const host = subject.split('.')[2] ?? '';
    const asked = readLacking(body);
    if (asked) return { answer: 'lacks', ids: await store.files.lacking(host, asked) };
    const { batch, number, count, bytes } = readPart(body);
    // Apart from the batches of the log, which a host ships meanwhile.
    const name = `files ${batch}`;
    if (number < count - 1) {
      await store.parts.put(host, name, number, bytes);
      return { answer: 'part' };
    }
    const before = count > 1 ? await store.parts.take(host, name, count - 1) : new Uint8Array();
    if (!before) return { answer: 'incomplete' };
    const objects = readObjects(count > 1 ? Buffer.concat([before, bytes]) : bytes);
    for (const object of objects) {
      const unpacked = await unpackObject(object); // throws for a wrong one
      if (unpacked?.type === 'tree') entriesOf(unpacked.content, object.id.length); // likewise
    }
    return { answer: (await store.files.put(host, objects, maxHostBytes)) ? 'kept' : 'full' };
  };
  return bus.serve(
    filesSubject('*'),
    async (message) => {
      try {
        return new TextEncoder().encode(JSON.stringify(await answer(message)));
      } catch (error) {
        log.write('warn', 'fleet.files-not-stored', 'files of a host could not be stored', {
          subject: message.subject,
          reason: String(error),
        });
        throw error;
      }
    },
    GROUP,
  );
}
