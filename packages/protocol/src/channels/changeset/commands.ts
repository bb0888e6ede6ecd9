import type { Static } from 'typebox';
import { BaseParamsSchema } from '../../common/base-params.js';
import { ContentRefSchema } from '../../common/content.js';
import { type EnumValue, enumSchema, named, optional } from '../../common/schema.js';
import { StringOrMarkdownSchema, TextRangeSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';
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

export const ChangesetOperationFollowUpSchema = named(
  'ChangesetOperationFollowUp',
  Type.Object({
    content: ContentRefSchema,
    external: optional(Type.Boolean()),
  }),
);
export type ChangesetOperationFollowUp = Static<typeof ChangesetOperationFollowUpSchema>;

export const InvokeChangesetOperationParamsSchema = named(
  'InvokeChangesetOperationParams',
  Type.Object({
    ...BaseParamsSchema.properties,
    operationId: Type.String(),
    target: optional(ChangesetOperationTargetSchema),
  }),
);
export type InvokeChangesetOperationParams = Static<typeof InvokeChangesetOperationParamsSchema>;

export const InvokeChangesetOperationResultSchema = named(
  'InvokeChangesetOperationResult',
  Type.Object({
    message: optional(StringOrMarkdownSchema),
    followUp: optional(ChangesetOperationFollowUpSchema),
  }),
);
export type InvokeChangesetOperationResult = Static<typeof InvokeChangesetOperationResultSchema>;
