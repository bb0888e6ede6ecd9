import { expect, it } from 'vitest';
import { object, optional } from '../src/common/schema.js';
import { Type } from '../src/common/type.js';
import { strict } from '../src/index.js';

interface Point {
  x: number;
  label?: string | undefined;
}

// The compiler holds every schema to its interface. Each line below must not compile (`npm run typecheck`).
const x = Type.Number();
const label = optional(Type.String());
// @ts-expect-error: a member is missing
object<Point>('Point', { x });
// @ts-expect-error: a member that the interface does not have
object<Point>('Point', { x, label, y: x });
// @ts-expect-error: another type
object<Point>('Point', { x: Type.String(), label });
// @ts-expect-error: narrower than the interface
object<Point>('Point', { x: Type.Literal(1), label });
// @ts-expect-error: wider than the interface
object<Point>('Point', { x: Type.Union([x, Type.Null()]), label });
// @ts-expect-error: required, where the interface says that it may be absent
object<Point>('Point', { x, label: Type.String() });
// @ts-expect-error: optional, where the interface says that it is there
object<Point>('Point', { x: optional(x), label });

it('makes a schema of an interface that checks exactly its members', () => {
  const point = strict(object<Point>('Point', { x, label }));
  expect(point.parse({ x: 1 }).x).toBe(1);
  expect(point.check({ x: 1, label: 'a' })).toBe(true);
  expect(point.check({ label: 'a' })).toBe(false);
  expect(point.check({ x: 1, label: 2 })).toBe(false);
});
