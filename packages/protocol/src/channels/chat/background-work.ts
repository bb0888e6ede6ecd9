import type { Static } from 'typebox';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

/** What goes on beside the turns of a chat. */
export const BackgroundWorkKind = {
  Shell: 'shell',
  Subagent: 'subagent',
} as const;
export type BackgroundWorkKind = EnumValue<typeof BackgroundWorkKind>;
export const BackgroundWorkKindSchema = enumSchema('BackgroundWorkKind', BackgroundWorkKind);

export const BackgroundWorkBaseSchema = named(
  'BackgroundWorkBase',
  Type.Object({
    id: Type.String(),
    label: Type.String(),
    startedAt: Type.String(),
    _meta: optional(freeForm()),
  }),
);
export type BackgroundWorkBase = Static<typeof BackgroundWorkBaseSchema>;

export const BackgroundShellWorkSchema = named(
  'BackgroundShellWork',
  Type.Object({
    ...BackgroundWorkBaseSchema.properties,
    kind: Type.Literal(BackgroundWorkKind.Shell),
    command: Type.String(),
    terminal: optional(URISchema),
  }),
);
export type BackgroundShellWork = Static<typeof BackgroundShellWorkSchema>;

export const BackgroundSubagentWorkSchema = named(
  'BackgroundSubagentWork',
  Type.Object({
    ...BackgroundWorkBaseSchema.properties,
    kind: Type.Literal(BackgroundWorkKind.Subagent),
    chat: URISchema,
  }),
);
export type BackgroundSubagentWork = Static<typeof BackgroundSubagentWorkSchema>;

export const BackgroundWorkSchema = named(
  'BackgroundWork',
  Type.Union([BackgroundShellWorkSchema, BackgroundSubagentWorkSchema]),
);
/** A command or a sub-agent that goes on when the turn that started it has ended. Only what runs is listed. */
export type BackgroundWork = Static<typeof BackgroundWorkSchema>;
