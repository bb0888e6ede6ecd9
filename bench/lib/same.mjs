import { isDeepStrictEqual } from 'node:util';

/** Where two values differ as seen on the wire, where a member that is `undefined` is absent; undefined when equal. */
export function differenceOnWire(expected, actual) {
  const left = onWire(expected);
  const right = onWire(actual);
  return isDeepStrictEqual(left, right) ? undefined : findDifference(left, right, '');
}

function onWire(value) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function findDifference(left, right, path) {
  if (isObject(left) && isObject(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      if (!isDeepStrictEqual(left[key], right[key])) return findDifference(left[key], right[key], `${path}/${key}`);
    }
  }
  return `${path || '/'}: baseline ${excerpt(left)}, ours ${excerpt(right)}`;
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

function excerpt(value) {
  return JSON.stringify(value)?.slice(0, 80) ?? 'absent';
}
