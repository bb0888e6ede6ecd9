import { actionTable } from './channels/action-table.js';
import { channelRegistry } from './channels/registry.js';
import { StateActionSchema } from './channels/state-action.js';
import type { TSchema } from './common/type.js';
import { Type } from './common/type.js';
import { ActionEnvelopeSchema, DispatchActionParamsSchema } from './connection/action.js';
import {
  AuthRequiredErrorDataSchema,
  PermissionDeniedErrorDataSchema,
  UnsupportedProtocolVersionErrorDataSchema,
} from './connection/error-data.js';
import { JsonRpcMessageSchema } from './connection/json-rpc.js';
import { SnapshotSchema } from './connection/snapshot.js';
import { requests } from './messages.js';
import { notifications } from './notifications.js';
import { PROTOCOL_VERSION } from './protocol-version.js';
import { type PublishedSchema, publishSchemas } from './validation/publish.js';

/** Every JSON Schema document that we publish, by file name; the build writes them to `schema/`. */
export function publishedDocuments(): Record<string, PublishedSchema> {
  return {
    state: document('state', undefined, [...Object.values(channelRegistry).map((row) => row.state), SnapshotSchema]),
    actions: document('actions', StateActionSchema, [
      ...Object.values(actionTable).map((row) => row.schema),
      ActionEnvelopeSchema,
      DispatchActionParamsSchema,
    ]),
    commands: document(
      'commands',
      byMethod(requests, ({ params, result }) => Type.Object({ params, result })),
    ),
    notifications: document(
      'notifications',
      byMethod(notifications, ({ params }) => Type.Object({ params })),
    ),
    errors: document('errors', undefined, [
      AuthRequiredErrorDataSchema,
      PermissionDeniedErrorDataSchema,
      UnsupportedProtocolVersionErrorDataSchema,
    ]),
    'json-rpc': document('json-rpc', JsonRpcMessageSchema),
  };
}

function document(name: string, root: TSchema | undefined, others: readonly TSchema[] = []): PublishedSchema {
  return publishSchemas(`urn:ahp:${PROTOCOL_VERSION}:${name}`, root, others);
}

/** A document for a table of methods: an object with one optional member per method. */
function byMethod<R>(rows: Record<string, R>, schemaOf: (row: R) => TSchema): TSchema {
  const members = Object.entries(rows).map(([method, row]) => [method, Type.Optional(schemaOf(row))]);
  return Type.Object(Object.fromEntries(members));
}
