import { type ChatState, isObject, type Turn } from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import { DEFAULT_TURNS, MAX_TURNS } from './limits.js';

/** The turns before one, or the newest; the oldest first. Versions before 0.5.1 get them in the answer itself. */
export function turnPage({ turns }: ChatState, page: unknown): { turns: Turn[]; hasMore: boolean } {
  const { before, limit = DEFAULT_TURNS } = isObject(page) ? page : {};
  if (!Number.isInteger(limit) || (limit as number) <= 0) {
    throw invalidParams('params/limit: expected a whole number above 0');
  }
  const end = before === undefined ? turns.length : turns.findIndex((turn) => turn.id === before);
  if (end < 0) throw invalidParams(`params/before: there is no finished turn "${String(before)}"`);
  const start = Math.max(0, end - Math.min(limit as number, MAX_TURNS));
  return { turns: turns.slice(start, end), hasMore: start > 0 };
}
