import type { SessionState } from '@moorage/protocol';
import { afterEach, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';

let bench: ChangesBench;
afterEach(() => bench.dispose());

it('the catalogue has counts of uncommitted changes while somebody has them open', async () => {
  bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': 'a\n' }) });
  const uri = bench.uri({ kind: 'uncommitted' });
  /** Waits until the catalogue says so. */
  const shows = async (wanted: object | undefined) => {
    for (;;) {
      const seen = bench.client.envelopes.length;
      const { changesets } = await bench.client.subscribe<SessionState>(bench.session);
      const { files, additions, deletions } = changesets?.find((one) => one.changeKind === 'uncommitted') ?? {};
      const counts = files === undefined ? undefined : { files, additions, deletions };
      if (JSON.stringify(counts) === JSON.stringify(wanted)) return;
      await bench.client.envelope(() => bench.client.envelopes.length > seen);
    }
  };
  await shows(undefined);
  bench.write('a.txt', 'one\ntwo\n');
  await bench.changeset(uri, ({ files }) => files.length === 1);
  await shows({ files: 1, additions: 2, deletions: 1 });
  await bench.turn('/write b.txt b\\n');
  await shows({ files: 2, additions: 3, deletions: 1 });
  bench.client.peer.notify('unsubscribe', { channel: uri });
  await shows(undefined);
});
