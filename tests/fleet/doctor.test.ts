import type { FleetHost } from '@moorage/client';
import { expect, it } from 'vitest';
import { problemsOf } from '../../packages/cli/src/client/fleet/doctor.js';
import { VERSION } from '../../packages/cli/src/version.js';

const here: FleetHost = {
  id: 'a1',
  name: 'north',
  labels: [],
  state: 'here',
  enrolledAt: 0,
  version: VERSION,
  unshipped: 3,
};

it.each<[string, Partial<FleetHost>, RegExp[]]>([
  ['is well', {}, []],
  ['is of a version that does not say how far it is', { unshipped: undefined }, []],
  ['is behind', { unshipped: 5_000 }, [/is behind: 5000 commits/]],
  ['is behind and old', { unshipped: 5_000, version: '0.0.1' }, [/runs version 0\.0\.1/, /is behind/]],
  ['was never there', { state: 'away' }, [/has never been there/]],
])('a host that %s', (_what, of, problems) => {
  const found = problemsOf({ ...here, ...of }).map(({ problem }) => problem);
  expect(found).toEqual(problems.map((one) => expect.stringMatching(one)));
});
