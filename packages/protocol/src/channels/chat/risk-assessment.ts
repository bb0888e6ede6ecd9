import type { Static } from 'typebox';
import { type EnumValue, enumSchema, named } from '../../common/schema.js';
import { StringOrMarkdownSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';

/** Who assesses how risky a tool call is. */
export const ToolCallRiskAssessmentKind = {
  Judge: 'judge',
} as const;
export type ToolCallRiskAssessmentKind = EnumValue<typeof ToolCallRiskAssessmentKind>;
export const ToolCallRiskAssessmentKindSchema = enumSchema('ToolCallRiskAssessmentKind', ToolCallRiskAssessmentKind);

export const ToolCallRiskAssessmentStatus = {
  Loading: 'loading',
  Complete: 'complete',
} as const;
export type ToolCallRiskAssessmentStatus = EnumValue<typeof ToolCallRiskAssessmentStatus>;
export const ToolCallRiskAssessmentStatusSchema = enumSchema(
  'ToolCallRiskAssessmentStatus',
  ToolCallRiskAssessmentStatus,
);

export const ToolCallRiskAssessmentLoadingStateSchema = named(
  'ToolCallRiskAssessmentLoadingState',
  Type.Object({
    kind: ToolCallRiskAssessmentKindSchema,
    status: Type.Literal(ToolCallRiskAssessmentStatus.Loading),
  }),
);
export type ToolCallRiskAssessmentLoadingState = Static<typeof ToolCallRiskAssessmentLoadingStateSchema>;

export const ToolCallRiskAssessmentCompleteStateSchema = named(
  'ToolCallRiskAssessmentCompleteState',
  Type.Object({
    kind: ToolCallRiskAssessmentKindSchema,
    status: Type.Literal(ToolCallRiskAssessmentStatus.Complete),
    reason: StringOrMarkdownSchema,
    safety: Type.Number(),
  }),
);
export type ToolCallRiskAssessmentCompleteState = Static<typeof ToolCallRiskAssessmentCompleteStateSchema>;

export const ToolCallRiskAssessmentSchema = named(
  'ToolCallRiskAssessment',
  Type.Union([ToolCallRiskAssessmentLoadingStateSchema, ToolCallRiskAssessmentCompleteStateSchema]),
);
/** How risky a call is that waits for the user. */
export type ToolCallRiskAssessment = Static<typeof ToolCallRiskAssessmentSchema>;
