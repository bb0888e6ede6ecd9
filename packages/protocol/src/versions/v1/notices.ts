import { noticeIn02 } from '../0.2/index.js';
import type { Directory, Notice } from '../dialect.js';
import { asObject, type WireObject } from '../shared/wire.js';
import { listedSummary } from './state.js';
import { shownMember } from './uri.js';

/** Every notification is wrapped in one that is called `notification`. */
export function noticeInV1(native: Notice, directory: Directory): Notice | undefined {
  const later = noticeIn02(native, directory);
  return later && wrappedNotice(later, directory);
}

export function wrappedNotice(later: Notice, directory: Directory): Notice | undefined {
  const notification = wrapped(later, directory);
  return notification && { method: 'notification', params: { notification } };
}

function wrapped({ method, params }: Notice, directory: Directory): WireObject | undefined {
  const session = shownMember(params.session, directory);
  switch (method) {
    case 'root/sessionAdded':
      return { type: 'notify/sessionAdded', summary: listedSummary(asObject(params.summary), directory) };
    case 'root/sessionRemoved':
      return { type: 'notify/sessionRemoved', session };
    case 'root/sessionSummaryChanged': {
      const changes = listedSummary(asObject(params.changes), directory);
      if (Object.keys(changes).length === 0) return undefined;
      return { type: 'notify/sessionSummaryChanged', session, changes };
    }
    case 'auth/required': {
      const { resource, reason } = params;
      return { type: 'notify/authRequired', resource, ...(reason !== undefined && { reason }) };
    }
    default:
      return undefined; // telemetry
  }
}
