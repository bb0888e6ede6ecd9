import { expect, it } from 'vitest';
import { peerAddress } from '../../src/adapters/transport-ws/peer-address.js';

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  [undefined, 'unknown'],
])('a client at %s is counted as %s: an IPv6 network as one address', (remote, counted) => {
  expect(peerAddress(remote)).toBe(counted);
});
