import { sessionOfAnnotationsUri } from '../../channels/annotations/uri.js';
import { isObject } from '../../common/is-object.js';
import { asObject, type WireObject, without } from '../shared/wire.js';
import type { About } from '../step.js';

/** Of where an annotation was made, 0.7 knows the turn; an annotation has one always, an update only when it changes. */
export function withTurnId(later: WireObject): WireObject {
  if (later.origin === undefined) return later;
  const { origin, ...others } = later;
  return { ...others, turnId: asObject(origin).turnId ?? '' };
}

/** The same back, for an annotation and for an update of one. */
export function withOrigin(earlier: WireObject, { channel }: About): WireObject {
  const { turnId } = earlier;
  if (typeof turnId !== 'string' || isObject(earlier.origin)) return earlier;
  const origin = { session: sessionOfAnnotationsUri(channel) ?? channel, ...(turnId !== '' && { turnId }) };
  return { ...without(earlier, 'turnId'), origin };
}
