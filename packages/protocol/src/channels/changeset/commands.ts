import { type BaseParams, BaseParamsSchema } from '../../common/base-params.js';
import { type ContentRef, ContentRefSchema } from '../../common/content.js';
import { type EnumValue, enumSchema, named, object, optional } from '../../common/schema.js';
import { type StringOrMarkdown, StringOrMarkdownSchema, TextRangeSchema } from '../../common/text.js';
import { type Static, Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

/** What one invocation of a changeset operation is about. */
export const ChangesetOperationTargetKind = {
  Resource: 'resource',
  Range: 'range',
} as const;
export type ChangesetOperationTargetKind = EnumValue<typeof ChangesetOperationTargetKind>;
export const ChangesetOperationTargetKindSchema = enumSchema(
  'ChangesetOperationTargetKind',
  ChangesetOperationTargetKind,
);

export const ChangesetOperationTargetSchema = named(
  'ChangesetOperationTarget',
  Type.Union([
    Type.Object({
      kind: Type.Literal(ChangesetOperationTargetKind.Resource),
      resource: URISchema,
      side: optional(Type.Enum(['before', 'after'])),
    }),
    Type.Object({
      kind: Type.Literal(ChangesetOperationTargetKind.Range),
      resource: URISchema,
      side: optional(Type.Enum(['before', 'after'])),
      range: TextRangeSchema,
    }),
  ]),
);
export type ChangesetOperationTarget = Static<typeof ChangesetOperationTargetSchema>;

export interface ChangesetOperationFollowUp {
  /** What to show. */
  content: ContentRef;
  /** Whether to open it outside of the client. */
  external?: boolean | undefined;
}

export const ChangesetOperationFollowUpSchema = object<ChangesetOperationFollowUp>('ChangesetOperationFollowUp', {
  content: ContentRefSchema,
  external: optional(Type.Boolean()),
});

export interface InvokeChangesetOperationParams extends BaseParams {
  /** The id of an entry of the changeset's `operations`. */
  operationId: string;
  /** What to apply it to; without it, everything. */
  target?: ChangesetOperationTarget | undefined;
}

export const InvokeChangesetOperationParamsSchema = object<InvokeChangesetOperationParams>(
  'InvokeChangesetOperationParams',
  {
    ...BaseParamsSchema.properties,
    operationId: Type.String(),
    target: optional(ChangesetOperationTargetSchema),
  },
);

export interface InvokeChangesetOperationResult {
  /** What was done, for people. */
  message?: StringOrMarkdown | undefined;
  /** What to show next. */
  followUp?: ChangesetOperationFollowUp | undefined;
}

export const InvokeChangesetOperationResultSchema = object<InvokeChangesetOperationResult>(
  'InvokeChangesetOperationResult',
  {
    message: optional(StringOrMarkdownSchema),
    followUp: optional(ChangesetOperationFollowUpSchema),
  },
);
