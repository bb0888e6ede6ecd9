// How cost grows with each dimension: a power of the size, fitted over several sizes. 0 is flat, 1 linear.
import { limitRounds } from './scaling/best.mjs';
import { files } from './scaling/files.mjs';
import { history } from './scaling/history.mjs';
import { live } from './scaling/live.mjs';
import { sessions } from './scaling/sessions.mjs';

export function* cases({ smoke }) {
  if (smoke) limitRounds(1);
  yield* history(smoke);
  yield* sessions(smoke);
  if (!smoke) yield* live(); // nothing but rows of `host` at several sizes, each with processes of its own
  yield* files(smoke);
}
