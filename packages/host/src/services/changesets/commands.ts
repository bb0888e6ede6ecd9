import type { Handler, Handlers } from '../../core/handler.js';
import type { BlameService } from './blame-service.js';
import type { ReviewedLines } from './reviewed-lines.js';
import type { SessionComparison } from './session-comparison.js';

/** Extensions of ours (docs/PROTOCOL.md). */
export function changesetCommands(blames: BlameService, reviewedLines: ReviewedLines, comparison: SessionComparison) {
  const blame: Handler<'moorage/blame'> = (params) => blames.of(params);
  const reviewLines: Handler<'moorage/reviewLines'> = (params) => reviewedLines.set(params).then(() => null);
  const compareSessions: Handler<'moorage/compareSessions'> = (params) => comparison.of(params);
  return {
    'moorage/blame': blame,
    'moorage/reviewLines': reviewLines,
    'moorage/compareSessions': compareSessions,
  } satisfies Handlers;
}
