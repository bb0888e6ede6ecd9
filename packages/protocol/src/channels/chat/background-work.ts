import { type EnumValue, enumSchema, freeForm, named, object, optional } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

/** What goes on beside the turns of a chat. */
export const BackgroundWorkKind = {
  Shell: 'shell',
  Subagent: 'subagent',
} as const;
export type BackgroundWorkKind = EnumValue<typeof BackgroundWorkKind>;
export const BackgroundWorkKindSchema = enumSchema('BackgroundWorkKind', BackgroundWorkKind);

export interface BackgroundWorkBase {
  /** Unique within the chat. */
  id: string;
  /** What is going on, in a few words. */
  label: string;
  /** When it began, as an ISO time. */
  startedAt: string;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const BackgroundWorkBaseSchema = object<BackgroundWorkBase>('BackgroundWorkBase', {
  id: Type.String(),
  label: Type.String(),
  startedAt: Type.String(),
  _meta: optional(freeForm()),
});

export interface BackgroundShellWork extends BackgroundWorkBase {
  kind: 'shell';
  /** The command line. */
  command: string;
  /** The terminal it runs in, if it can be watched. */
  terminal?: URI | undefined;
}

export const BackgroundShellWorkSchema = object<BackgroundShellWork>('BackgroundShellWork', {
  ...BackgroundWorkBaseSchema.properties,
  kind: Type.Literal(BackgroundWorkKind.Shell),
  command: Type.String(),
  terminal: optional(URISchema),
});

export interface BackgroundSubagentWork extends BackgroundWorkBase {
  kind: 'subagent';
  /** The chat of the sub-agent. */
  chat: URI;
}

export const BackgroundSubagentWorkSchema = object<BackgroundSubagentWork>('BackgroundSubagentWork', {
  ...BackgroundWorkBaseSchema.properties,
  kind: Type.Literal(BackgroundWorkKind.Subagent),
  chat: URISchema,
});

export const BackgroundWorkSchema = named(
  'BackgroundWork',
  Type.Union([BackgroundShellWorkSchema, BackgroundSubagentWorkSchema]),
);
/** A command or a sub-agent that goes on when the turn that started it has ended. Only what runs is listed. */
export type BackgroundWork = Static<typeof BackgroundWorkSchema>;
