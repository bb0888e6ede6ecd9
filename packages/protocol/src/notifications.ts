import {
  ProgressParamsSchema,
  SessionAddedParamsSchema,
  SessionRemovedParamsSchema,
  SessionSummaryChangedParamsSchema,
} from './channels/root/notifications.js';
import {
  OtlpExportLogsParamsSchema,
  OtlpExportMetricsParamsSchema,
  OtlpExportTracesParamsSchema,
} from './channels/telemetry/notifications.js';
import { ActionEnvelopeSchema, DispatchActionParamsSchema } from './connection/action.js';
import { AuthRequiredParamsSchema } from './connection/authentication.js';
import { UnsubscribeParamsSchema } from './connection/subscription.js';
import { type NotificationRow, notification } from './message-rows.js';

/** Every notification: never answered. */
export const notifications = {
  unsubscribe: notification('clientToHost', 'any', UnsubscribeParamsSchema),
  dispatchAction: notification('clientToHost', 'any', DispatchActionParamsSchema),
  action: notification('hostToClient', 'any', ActionEnvelopeSchema),
  'root/sessionAdded': notification('hostToClient', 'root', SessionAddedParamsSchema),
  'root/sessionRemoved': notification('hostToClient', 'root', SessionRemovedParamsSchema),
  'root/sessionSummaryChanged': notification('hostToClient', 'root', SessionSummaryChangedParamsSchema),
  'root/progress': notification('hostToClient', 'root', ProgressParamsSchema),
  'auth/required': notification('hostToClient', 'any', AuthRequiredParamsSchema),
  'otlp/exportLogs': notification('hostToClient', 'telemetry', OtlpExportLogsParamsSchema),
  'otlp/exportTraces': notification('hostToClient', 'telemetry', OtlpExportTracesParamsSchema),
  'otlp/exportMetrics': notification('hostToClient', 'telemetry', OtlpExportMetricsParamsSchema),
};

const notificationRows: ReadonlyMap<string, NotificationRow> = new Map(Object.entries(notifications));

/** The row of a notification, if there is such a method. */
export function notificationRow(method: string): NotificationRow | undefined {
  return notificationRows.get(method);
}
