import type { Handler, Handlers } from '../../core/handler.js';
import type { BlameService } from './blame-service.js';
import type { ReviewedLines } from './reviewed-lines.js';

/** Extensions of ours (docs/PROTOCOL.md). */
export function changesetCommands(blames: BlameService, reviewedLines: ReviewedLines) {
  const blame: Handler<'moorage/blame'> = (params) => blames.of(params);
  const reviewLines: Handler<'moorage/reviewLines'> = (params) => reviewedLines.set(params).then(() => null);
  return { 'moorage/blame': blame, 'moorage/reviewLines': reviewLines } satisfies Handlers;
}
