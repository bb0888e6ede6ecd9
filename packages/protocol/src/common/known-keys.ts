/**
 * Whether an object has no member besides the given ones. Then a literal with fixed keys copies it whole, which is far
 * cheaper than a spread; otherwise the members of later versions must be carried along.
 */
export function hasOnlyKeys(object: object, keys: ReadonlySet<string>): boolean {
  for (const key in object) if (!keys.has(key)) return false;
  return true;
}
