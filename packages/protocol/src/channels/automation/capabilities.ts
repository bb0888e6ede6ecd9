import { object, optional, presenceFlag } from '../../common/schema.js';
import { type AnyObject, Type } from '../../common/type.js';

/** What schedules a host takes. */
export interface AutomationScheduleCapabilities {
  /** The fewest minutes between two runs of a schedule. */
  minIntervalMinutes?: number | undefined;
}

export const AutomationScheduleCapabilitiesSchema = object<AutomationScheduleCapabilities>(
  'AutomationScheduleCapabilities',
  { minIntervalMinutes: optional(Type.Number()) },
);

/** What a host does with automations; a host that has none does not say any of it. */
export interface AutomationCapabilities {
  /** Present if clients may make some. */
  create?: AnyObject | undefined;
  /** Present if schedules can start runs. */
  schedules?: AutomationScheduleCapabilities | undefined;
  /** Present if runs can be cancelled. */
  runCancellation?: AnyObject | undefined;
  /** How many runs of an automation are kept. */
  runHistoryLimit?: number | undefined;
  /** Present if sessions can get plugins of clients. */
  customizations?: AnyObject | undefined;
}

export const AutomationCapabilitiesSchema = object<AutomationCapabilities>('AutomationCapabilities', {
  create: optional(presenceFlag()),
  schedules: optional(AutomationScheduleCapabilitiesSchema),
  runCancellation: optional(presenceFlag()),
  runHistoryLimit: optional(Type.Integer()),
  customizations: optional(presenceFlag()),
});
