import type {
  AgentEvent,
  InputOutcome,
  McpCallOutcome,
  SpawnedChat,
  TerminalOutcome,
  TerminalOutput,
  ToolConfirmation,
  ToolDecision,
  TurnOutcome,
} from '@moorage/host/ports';
import {
  ChatInputAnswerSchema,
  type ChatInputRequest,
  ChatInputRequestSchema,
  ConfirmationOptionSchema,
  type ContentRef,
  ContentRefSchema,
  FileEditSchema,
  MessageSchema,
  StringOrMarkdownSchema,
  strict,
  ToolCallContributorSchema,
  type ToolCallResult,
  ToolCallResultSchema,
  ToolResultContentSchema,
  UsageInfoSchema,
  type Validator,
} from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import { type AutoMode, AutoModeSchema, type ScriptCommand, type ScriptMcpCall } from '../interpreter/ports.js';
import { type Progress, ProgressSchema } from '../interpreter/progress.js';
import { FILE_REQUESTS, type FileRequests } from './file-messages.js';

const Meta = Type.Optional(Type.Record(Type.Unknown()));
const Nothing = Type.Object({});

const OutcomeSchema = Type.Union([
  Type.Object({ kind: Type.Literal('complete') }),
  Type.Object({ kind: Type.Literal('cancelled') }),
  Type.Object({
    kind: Type.Literal('error'),
    error: Type.Object({ errorType: Type.String(), message: Type.String() }),
  }),
]);

const identity = {
  toolCallId: Type.String(),
  toolName: Type.String(),
  displayName: Type.String(),
  contributor: Type.Optional(ToolCallContributorSchema),
  meta: Meta,
};

const description = {
  toolCallId: Type.String(),
  invocationMessage: StringOrMarkdownSchema,
  toolInput: Type.Optional(Type.String()),
  meta: Meta,
};

const EventSchema = Type.Union([
  Type.Object({ kind: Type.Literal('text'), text: Type.String() }),
  Type.Object({ kind: Type.Literal('reasoning'), text: Type.String() }),
  Type.Object({ kind: Type.Literal('contentRef'), content: ContentRefSchema }),
  Type.Object({ kind: Type.Literal('notice'), text: StringOrMarkdownSchema }),
  Type.Object({ kind: Type.Literal('usage'), usage: UsageInfoSchema }),
  Type.Object({ kind: Type.Literal('toolCallStart'), ...identity }),
  Type.Object({
    kind: Type.Literal('toolCallInput'),
    toolCallId: Type.String(),
    text: Type.String(),
    progress: Type.Optional(StringOrMarkdownSchema),
  }),
  Type.Object({
    kind: Type.Literal('toolCallRunning'),
    confirmed: Type.Optional(Type.Enum(['not-needed', 'setting'])),
    ...description,
  }),
  Type.Object({
    kind: Type.Literal('toolCallContent'),
    toolCallId: Type.String(),
    content: Type.Array(ToolResultContentSchema),
  }),
  Type.Object({ kind: Type.Literal('toolCallDone'), toolCallId: Type.String(), result: ToolCallResultSchema }),
]);

const ConfirmationSchema = Type.Object({
  ...description,
  identity: Type.Optional(Type.Object(identity)),
  title: Type.Optional(StringOrMarkdownSchema),
  edits: Type.Optional(Type.Array(FileEditSchema)),
  editable: Type.Optional(Type.Boolean()),
  options: Type.Optional(Type.Array(ConfirmationOptionSchema)),
});

const DeniedSchema = Type.Object({
  approved: Type.Literal(false),
  reason: Type.Enum(['denied', 'skipped', 'cancelled']),
  option: Type.Optional(ConfirmationOptionSchema),
  message: Type.Optional(StringOrMarkdownSchema),
  suggestion: Type.Optional(MessageSchema),
});

const DecisionSchema = Type.Union([
  Type.Object({
    approved: Type.Literal(true),
    toolInput: Type.Optional(Type.String()),
    option: Type.Optional(ConfirmationOptionSchema),
  }),
  DeniedSchema,
]);

const InputOutcomeSchema = Type.Union([
  Type.Object({
    response: Type.Literal('accept'),
    answers: Type.Record(ChatInputAnswerSchema),
  }),
  Type.Object({ response: Type.Enum(['decline', 'cancel']) }),
]);

const TerminalNameSchema = Type.Object({ resource: Type.String() });

const TerminalOutcomeSchema = Type.Union([
  Type.Object({
    kind: Type.Literal('exited'),
    exitCode: Type.Integer(),
    signal: Type.Optional(Type.Integer()),
  }),
  Type.Object({ kind: Type.Enum(['detached', 'disposed']) }),
]);

/** The only request that the host sends to the agent's process. */
export interface Prompt {
  readonly turnId: string;
  readonly text: string;
  readonly comments: readonly string[];
  readonly clientTools: readonly { readonly name: string }[];
  readonly workingDirectory?: string;
  readonly resumed?: Progress;
}

export const prompt: Validator<Prompt> = strict(
  Type.Object({
    turnId: Type.String(),
    text: Type.String(),
    comments: Type.Array(Type.String()),
    clientTools: Type.Array(Type.Object({ name: Type.String() })),
    workingDirectory: Type.Optional(Type.String()),
    resumed: Type.Optional(ProgressSchema),
  }),
);

export const promptResult: Validator<TurnOutcome> = strict(OutcomeSchema);

/** Everything that the process may request of its host, always for the running turn. */
export interface Requests extends FileRequests {
  confirm: { params: ToolConfirmation; result: ToolDecision };
  ask: { params: ChatInputRequest; result: InputOutcome };
  callClientTool: { params: { toolCallId: string; name: string; input: string }; result: ToolCallResult };
  callMcpTool: { params: ScriptMcpCall; result: McpCallOutcome };
  takeSteering: { params: object; result: { message?: { text: string } } };
  spawn: { params: { toolCallId: string; title: string; message: string }; result: SpawnedChat };
  storeContent: { params: { base64: string; contentType: string }; result: ContentRef };
  autoMode: { params: object; result: { mode: AutoMode } };
  createTerminal: { params: ScriptCommand; result: TerminalName };
  waitForTerminal: { params: TerminalName; result: TerminalOutcome };
  terminalOutput: { params: TerminalName; result: TerminalOutput };
}

/** The URI of a terminal that this turn has created. */
export interface TerminalName {
  readonly resource: string;
}

export type RequestMethod = keyof Requests;

export const REQUESTS: {
  [M in RequestMethod]: { params: Validator<Requests[M]['params']>; result: Validator<Requests[M]['result']> };
} = {
  confirm: { params: strict(ConfirmationSchema), result: strict(DecisionSchema) },
  ask: { params: strict(ChatInputRequestSchema), result: strict(InputOutcomeSchema) },
  callClientTool: {
    params: strict(Type.Object({ toolCallId: Type.String(), name: Type.String(), input: Type.String() })),
    result: strict(ToolCallResultSchema),
  },
  callMcpTool: {
    params: strict(
      Type.Object({
        toolCallId: Type.String(),
        server: Type.String(),
        name: Type.String(),
        input: Type.String(),
        isAllowed: Type.Optional(Type.Boolean()),
        options: Type.Optional(Type.Array(ConfirmationOptionSchema)),
      }),
    ),
    result: strict(
      Type.Union([
        Type.Object({
          kind: Type.Literal('done'),
          result: ToolCallResultSchema,
          option: Type.Optional(ConfirmationOptionSchema),
        }),
        Type.Object({ kind: Type.Literal('denied'), decision: DeniedSchema }),
      ]),
    ),
  },
  takeSteering: {
    params: strict(Nothing),
    result: strict(Type.Object({ message: Type.Optional(Type.Object({ text: Type.String() })) })),
  },
  spawn: {
    params: strict(Type.Object({ toolCallId: Type.String(), title: Type.String(), message: Type.String() })),
    result: strict(Type.Object({ chat: Type.String(), outcome: OutcomeSchema, text: Type.String() })),
  },
  storeContent: {
    params: strict(Type.Object({ base64: Type.String(), contentType: Type.String() })),
    result: strict(ContentRefSchema),
  },
  createTerminal: {
    params: strict(
      Type.Object({ toolCallId: Type.String(), command: Type.String(), title: Type.Optional(Type.String()) }),
    ),
    result: strict(TerminalNameSchema),
  },
  waitForTerminal: { params: strict(TerminalNameSchema), result: strict(TerminalOutcomeSchema) },
  terminalOutput: {
    params: strict(TerminalNameSchema),
    result: strict(
      Type.Object({
        output: Type.String(),
        truncated: Type.Boolean(),
        exitCode: Type.Optional(Type.Integer()),
      }),
    ),
  },
  autoMode: { params: strict(Nothing), result: strict(Type.Object({ mode: AutoModeSchema })) },
  ...FILE_REQUESTS,
};

/** Everything that the process may tell its host. */
export interface Notifications {
  emit: { event: AgentEvent };
  setTitle: { title: string };
  setAutoMode: { mode: AutoMode };
  saveProgress: Progress;
  releaseTerminal: TerminalName;
}
export type NotificationMethod = keyof Notifications;

export const NOTIFICATIONS: { [M in NotificationMethod]: Validator<Notifications[M]> } = {
  emit: strict(Type.Object({ event: EventSchema })),
  setTitle: strict(Type.Object({ title: Type.String() })),
  setAutoMode: strict(Type.Object({ mode: AutoModeSchema })),
  saveProgress: strict(ProgressSchema),
  releaseTerminal: strict(TerminalNameSchema),
};

/** UTF-16 units of one line on the pipe: enough for a stored file in base64, or a prompt. */
export const MAX_PIPE_CHARS = 64 * 1024 * 1024;
