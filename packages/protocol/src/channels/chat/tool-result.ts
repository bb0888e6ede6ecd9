import type { Static } from 'typebox';
import { ContentRefSchema, FileEditSchema } from '../../common/content.js';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { StringOrMarkdownSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

/** What a part of a tool's result is. */
export const ToolResultContentType = {
  Text: 'text',
  EmbeddedResource: 'embeddedResource',
  Resource: 'resource',
  FileEdit: 'fileEdit',
  Terminal: 'terminal',
  Subagent: 'subagent',
} as const;
export type ToolResultContentType = EnumValue<typeof ToolResultContentType>;
export const ToolResultContentTypeSchema = enumSchema('ToolResultContentType', ToolResultContentType);

export const ToolResultTextContentSchema = named(
  'ToolResultTextContent',
  Type.Object({
    type: Type.Literal(ToolResultContentType.Text),
    text: Type.String(),
  }),
);
export type ToolResultTextContent = Static<typeof ToolResultTextContentSchema>;

export const ToolResultEmbeddedResourceContentSchema = named(
  'ToolResultEmbeddedResourceContent',
  Type.Object({
    type: Type.Literal(ToolResultContentType.EmbeddedResource),
    data: Type.String(),
    contentType: Type.String(),
  }),
);
export type ToolResultEmbeddedResourceContent = Static<typeof ToolResultEmbeddedResourceContentSchema>;

export const ToolResultResourceContentSchema = named(
  'ToolResultResourceContent',
  Type.Object({
    ...ContentRefSchema.properties,
    type: Type.Literal(ToolResultContentType.Resource),
  }),
);
export type ToolResultResourceContent = Static<typeof ToolResultResourceContentSchema>;

export const ToolResultFileEditContentSchema = named(
  'ToolResultFileEditContent',
  Type.Object({
    ...FileEditSchema.properties,
    type: Type.Literal(ToolResultContentType.FileEdit),
  }),
);
export type ToolResultFileEditContent = Static<typeof ToolResultFileEditContentSchema>;

export const TerminalCommandResultSchema = named(
  'TerminalCommandResult',
  Type.Object({
    exitCode: optional(Type.Integer()),
    preview: optional(Type.String()),
    truncated: optional(Type.Boolean()),
  }),
);
/** How a command ended that a tool call ran in a terminal. */
export type TerminalCommandResult = Static<typeof TerminalCommandResultSchema>;

export const ToolResultTerminalContentSchema = named(
  'ToolResultTerminalContent',
  Type.Object({
    type: Type.Literal(ToolResultContentType.Terminal),
    resource: URISchema,
    title: Type.String(),
    isPty: optional(Type.Boolean()),
    result: optional(TerminalCommandResultSchema),
  }),
);
export type ToolResultTerminalContent = Static<typeof ToolResultTerminalContentSchema>;

export const ToolResultSubagentContentSchema = named(
  'ToolResultSubagentContent',
  Type.Object({
    type: Type.Literal(ToolResultContentType.Subagent),
    resource: URISchema,
    title: Type.String(),
    agentName: optional(Type.String()),
    description: optional(Type.String()),
  }),
);
export type ToolResultSubagentContent = Static<typeof ToolResultSubagentContentSchema>;

export const ToolResultContentSchema = named(
  'ToolResultContent',
  Type.Union([
    ToolResultTextContentSchema,
    ToolResultEmbeddedResourceContentSchema,
    ToolResultResourceContentSchema,
    ToolResultFileEditContentSchema,
    ToolResultTerminalContentSchema,
    ToolResultSubagentContentSchema,
  ]),
);
export type ToolResultContent = Static<typeof ToolResultContentSchema>;

export const ToolCallResultSchema = named(
  'ToolCallResult',
  Type.Object({
    success: Type.Boolean(),
    pastTenseMessage: StringOrMarkdownSchema,
    content: optional(Type.Array(ToolResultContentSchema)),
    structuredContent: optional(freeForm()),
    error: optional(Type.Object({ message: Type.String(), code: optional(Type.String()) })),
  }),
);
/** What a tool call came to. */
export type ToolCallResult = Static<typeof ToolCallResultSchema>;
