import { type ContentRef, ContentRefSchema, type FileEdit, FileEditSchema } from '../../common/content.js';
import { type EnumValue, enumSchema, freeForm, named, object, optional } from '../../common/schema.js';
import { type StringOrMarkdown, StringOrMarkdownSchema } from '../../common/text.js';
import { type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

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

export interface ToolResultTextContent {
  type: 'text';
  /** The text. */
  text: string;
}

export const ToolResultTextContentSchema = object<ToolResultTextContent>('ToolResultTextContent', {
  type: Type.Literal(ToolResultContentType.Text),
  text: Type.String(),
});

export interface ToolResultEmbeddedResourceContent {
  type: 'embeddedResource';
  /** The content in base64. */
  data: string;
  /** The media type of the content. */
  contentType: string;
}

export const ToolResultEmbeddedResourceContentSchema = object<ToolResultEmbeddedResourceContent>(
  'ToolResultEmbeddedResourceContent',
  {
    type: Type.Literal(ToolResultContentType.EmbeddedResource),
    data: Type.String(),
    contentType: Type.String(),
  },
);

export interface ToolResultResourceContent extends ContentRef {
  type: 'resource';
}

export const ToolResultResourceContentSchema = object<ToolResultResourceContent>('ToolResultResourceContent', {
  ...ContentRefSchema.properties,
  type: Type.Literal(ToolResultContentType.Resource),
});

export interface ToolResultFileEditContent extends FileEdit {
  type: 'fileEdit';
}

export const ToolResultFileEditContentSchema = object<ToolResultFileEditContent>('ToolResultFileEditContent', {
  ...FileEditSchema.properties,
  type: Type.Literal(ToolResultContentType.FileEdit),
});

/** How a command ended that a tool call ran in a terminal. */
export interface TerminalCommandResult {
  /** The exit code, if the command ended by itself. */
  exitCode?: number | undefined;
  /** The end of its output. */
  preview?: string | undefined;
  /** Whether the preview is not all of it. */
  truncated?: boolean | undefined;
}

export const TerminalCommandResultSchema = object<TerminalCommandResult>('TerminalCommandResult', {
  exitCode: optional(Type.Integer()),
  preview: optional(Type.String()),
  truncated: optional(Type.Boolean()),
});

export interface ToolResultTerminalContent {
  type: 'terminal';
  /** The channel of the terminal. */
  resource: URI;
  /** What runs in it. */
  title: string;
  /** Whether it is a real terminal, whose output has control sequences. */
  isPty?: boolean | undefined;
  /** How the command ended. */
  result?: TerminalCommandResult | undefined;
}

export const ToolResultTerminalContentSchema = object<ToolResultTerminalContent>('ToolResultTerminalContent', {
  type: Type.Literal(ToolResultContentType.Terminal),
  resource: URISchema,
  title: Type.String(),
  isPty: optional(Type.Boolean()),
  result: optional(TerminalCommandResultSchema),
});

export interface ToolResultSubagentContent {
  type: 'subagent';
  /** The chat of the sub-agent. */
  resource: URI;
  /** The title of that chat. */
  title: string;
  /** Which agent it is. */
  agentName?: string | undefined;
  /** Its task, in a sentence. */
  description?: string | undefined;
}

export const ToolResultSubagentContentSchema = object<ToolResultSubagentContent>('ToolResultSubagentContent', {
  type: Type.Literal(ToolResultContentType.Subagent),
  resource: URISchema,
  title: Type.String(),
  agentName: optional(Type.String()),
  description: optional(Type.String()),
});

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

/** What a tool call came to. */
export interface ToolCallResult {
  /** Whether the tool did what it should. */
  success: boolean;
  /** What the call did, in the past tense. */
  pastTenseMessage: StringOrMarkdown;
  /** What it gave, for people and models. */
  content?: ToolResultContent[] | undefined;
  /** The same as data, as the tool's output schema says. */
  structuredContent?: Record<string, unknown> | undefined;
  /** Why it failed. */
  error?: { message: string; code?: string | undefined } | undefined;
}

export const ToolCallResultSchema = object<ToolCallResult>('ToolCallResult', {
  success: Type.Boolean(),
  pastTenseMessage: StringOrMarkdownSchema,
  content: optional(Type.Array(ToolResultContentSchema)),
  structuredContent: optional(freeForm()),
  error: optional(Type.Object({ message: Type.String(), code: optional(Type.String()) })),
});
