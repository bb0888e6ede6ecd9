import { CREATED_AT, createdAtOf, modifiedAtOf } from '../../channels/session/listed-chats.js';
import type { SessionState } from '../../channels/session/state.js';
import { isObject } from '../../common/is-object.js';
import type { AddressedAction } from '../dialect.js';
import {
  asList,
  asObject,
  defined,
  mapMember,
  toWire,
  type WireAction,
  type WireObject,
  without,
} from '../shared/wire.js';
import { type About, type Around, type LiftedAction, Refusal } from '../step.js';
import { selectionMembers } from './selection.js';

/** 0.4 has what lists show in a summary of its own, one active client, and the model of the session. */
export function sessionDown(later: WireObject, { channel, directory }: About): WireObject {
  const { provider, title, status, activity, project, workingDirectory, annotations, activeClients, ...others } = later;
  const session = later as unknown as Pick<SessionState, '_meta' | 'chats' | 'defaultChat'>;
  const chat = session.defaultChat === undefined ? undefined : directory.chat(session.defaultChat);
  return {
    ...withoutCreationTime(others),
    summary: {
      resource: channel,
      provider,
      title,
      status,
      ...defined('activity', activity),
      createdAt: createdAtOf(session),
      modifiedAt: modifiedAtOf(session),
      ...defined('project', project),
      ...selectionMembers(chat),
      ...defined('workingDirectory', workingDirectory),
      ...defined('annotations', annotations),
    },
    ...defined('activeClient', asList(activeClients).at(-1)),
  };
}

export function sessionUp(earlier: WireObject): WireObject {
  const { summary, activeClient, ...others } = earlier;
  const { provider, title, status, activity, project, workingDirectory, annotations, createdAt } = asObject(summary);
  return {
    ...others,
    provider,
    title,
    status,
    ...defined('activity', activity),
    ...defined('project', project),
    ...defined('workingDirectory', workingDirectory),
    ...defined('annotations', annotations),
    activeClients: isObject(activeClient) ? [activeClient] : [],
    _meta: { ...asObject(others._meta), [CREATED_AT]: isoTime(createdAt) },
  };
}

/** A session in a list, or some of its members: 0.4 has numbers for times. */
export function summaryDown(later: WireObject): WireObject {
  return mapMember(mapMember(without(later, '_meta'), 'createdAt', milliseconds), 'modifiedAt', milliseconds);
}

export function summaryUp(earlier: WireObject): WireObject {
  const known = without(earlier, 'model', 'agent');
  return mapMember(mapMember(known, 'createdAt', isoTime), 'modifiedAt', isoTime);
}

/** Our own member of `_meta` says when the session was created; in 0.4 its summary does. */
export function withoutCreationTime(later: WireObject): WireObject {
  const { _meta, ...others } = later;
  if (!isObject(_meta) || !(CREATED_AT in _meta)) return later;
  const rest = without(_meta, CREATED_AT);
  return Object.keys(rest).length > 0 ? { ...others, _meta: rest } : others;
}

export function metaUp(action: WireAction, { channel, directory }: About): WireObject {
  const createdAt = directory.session(channel)?._meta?.[CREATED_AT];
  return createdAt === undefined
    ? action
    : { ...action, _meta: { ...asObject(action._meta), [CREATED_AT]: createdAt } };
}

/** The last client that became active is the one that 0.4 shows. */
export function activeClientDown(_action: WireAction, around: Around): readonly AddressedAction[] {
  const activeClient = asList((around.after ?? around.session)?.activeClients).at(-1) ?? null;
  return [{ channel: around.channel, action: { type: 'session/activeClientChanged', activeClient } }];
}

export function activeClientUp(action: WireAction, about: About): readonly LiftedAction[] | Refusal {
  const { activeClient } = action;
  if (activeClient !== null && activeClient !== undefined) return rephrased(about, { ...action, type: SET });
  const clientId = lastActive(about)?.clientId;
  if (clientId === undefined) return new Refusal('no client is active');
  return rephrased(about, { type: 'session/activeClientRemoved', clientId });
}

export function activeClientToolsUp(action: WireAction, about: About): readonly LiftedAction[] | Refusal {
  const active = lastActive(about);
  if (!active) return new Refusal('no client is active');
  return rephrased(about, { type: SET, activeClient: { ...active, tools: action.tools } });
}

const SET = 'session/activeClientSet';

function lastActive({ channel, directory }: About): WireObject | undefined {
  const last = directory.session(channel)?.activeClients.at(-1);
  return last && toWire(last);
}

function rephrased({ channel }: About, action: WireAction): readonly LiftedAction[] {
  return [{ channel, action, isRephrased: true }];
}

function milliseconds(time: unknown): unknown {
  const parsed = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isFinite(parsed) ? parsed : time;
}

function isoTime(time: unknown): unknown {
  return typeof time === 'number' && Number.isFinite(time) ? new Date(time).toISOString() : time;
}
