import { type EnumValue, enumSchema, named, object } from '../../common/schema.js';
import { type StringOrMarkdown, StringOrMarkdownSchema } from '../../common/text.js';
import { type Static, Type } from '../../common/type.js';

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

export interface ToolCallRiskAssessmentLoadingState {
  /** It is still being assessed. */
  kind: ToolCallRiskAssessmentKind;
  status: 'loading';
}

export const ToolCallRiskAssessmentLoadingStateSchema = object<ToolCallRiskAssessmentLoadingState>(
  'ToolCallRiskAssessmentLoadingState',
  {
    kind: ToolCallRiskAssessmentKindSchema,
    status: Type.Literal(ToolCallRiskAssessmentStatus.Loading),
  },
);

export interface ToolCallRiskAssessmentCompleteState {
  /** It was assessed. */
  kind: ToolCallRiskAssessmentKind;
  status: 'complete';
  /** Why it is judged so. */
  reason: StringOrMarkdown;
  /** How safe the call is judged to be; more is safer. */
  safety: number;
}

export const ToolCallRiskAssessmentCompleteStateSchema = object<ToolCallRiskAssessmentCompleteState>(
  'ToolCallRiskAssessmentCompleteState',
  {
    kind: ToolCallRiskAssessmentKindSchema,
    status: Type.Literal(ToolCallRiskAssessmentStatus.Complete),
    reason: StringOrMarkdownSchema,
    safety: Type.Number(),
  },
);

export const ToolCallRiskAssessmentSchema = named(
  'ToolCallRiskAssessment',
  Type.Union([ToolCallRiskAssessmentLoadingStateSchema, ToolCallRiskAssessmentCompleteStateSchema]),
);
/** How risky a call is that waits for the user. */
export type ToolCallRiskAssessment = Static<typeof ToolCallRiskAssessmentSchema>;
