import type { Handler, Handlers } from '../../core/handler.js';
import type { BlameService } from './blame-service.js';

/** An extension of ours (docs/PROTOCOL.md). */
export function blameCommands(blames: BlameService) {
  const handler: Handler<'moorage/blame'> = (params) => blames.of(params);
  return { 'moorage/blame': handler } satisfies Handlers;
}
