/**
 * Whether an object has no member besides the given ones. Then a literal with fixed keys copies it whole, which is far
 * cheaper than a spread; otherwise the members of later versions must be carried along.
 */
export function hasOnlyKeys(object: object, keys: readonly string[]): boolean {
  let next = 0;
  // Copies made by such a literal have the keys in this order, so the first comparison nearly always decides.
  for (const key in object) if (key !== keys[next++] && !keys.includes(key)) return false;
  return true;
}
