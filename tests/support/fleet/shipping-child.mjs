// A host that commits without end, and prints each number that the fleet has stored. Arguments: NATS url, host id, file.
import { connectNatsBus, notifyingStore, startShipper } from '@moorage/fleet';
import { nodeClock, openSqliteStore } from '@moorage/host';

const [url, host, file] = process.argv.slice(2);
const opened = openSqliteStore({ file });
const bus = await connectNatsBus({ servers: [url], name: 'child' });
const shipper = startShipper({ host, feed: opened.feed(), bus, clock: nodeClock });
const store = notifyingStore(opened, () => shipper.notify());
const [session, channel] = ['ahp-session:/killed', 'ahp-chat:/killed'];
store.commit({
  channels: [
    { uri: session, kind: 'session', session, unsettled: false, snapshot: { seq: 0, json: '{}' } },
    { uri: channel, kind: 'chat', session, unsettled: false, snapshot: { seq: 0, json: '{}' } },
  ],
});
for (let seq = 1; ; seq++) {
  const envelopes = JSON.stringify({ channel, action: { type: 'chat/delta', content: `text ${seq}` }, serverSeq: seq });
  store.commit({ log: [{ channel, firstSeq: seq, lastSeq: seq, envelopes }] });
  const stored = shipper.shipped().then(() => process.stdout.write(`${seq}\n`));
  if (seq % 10 === 0) await stored;
}
