import { expect } from 'vitest';
import type { ChannelKind } from '../../../src/index.js';
import { type Directory, dialectOf, type Subject, type WireObject } from '../../../src/versions/index.js';
import { shapeProblem } from '../shapes.js';
import { comparableLegacy } from './comparable.js';
import { reduceLegacy } from './reduce.js';
import type { World } from './world.js';

export const TRANSLATED_VERSIONS = [
  1,
  '0.1.0',
  '0.2.0',
  '0.3.0',
  '0.4.0',
  '0.5.0',
  '0.5.1',
  '0.5.2',
  '0.6.0',
  '0.7.0',
  '0.9.0',
] as const;
export type TranslatedVersion = (typeof TRANSLATED_VERSIONS)[number];

/** The dialect of a version that is not the native one. */
export function translatedDialect(version: TranslatedVersion) {
  const { name, down } = dialectOf(version) ?? {};
  if (!name || !down) throw new Error(`${version} is not translated`);
  return { name, down };
}

/** What a client of a version has of a session and its own chat. It begins with snapshots. */
export class Replica {
  readonly #version: TranslatedVersion;
  session: WireObject;
  chat: WireObject | undefined;

  constructor(version: TranslatedVersion, world: World) {
    this.#version = version;
    const { down } = translatedDialect(version);
    this.session = shownState(version, world.sessionSubject(down.mergesChats), world.directory) ?? {};
    this.chat = down.mergesChats ? undefined : shownState(version, world.chatSubject(), world.directory);
  }

  apply(action: WireObject): void {
    expectKnown(this.#version, action);
    const { name } = translatedDialect(this.#version);
    if (!String(action.type).startsWith('chat/')) this.session = reduceLegacy(name, 'session', this.session, action);
    else if (this.chat) this.chat = reduceLegacy(name, 'chat', this.chat, action);
  }

  /** A turn that is taken up again is no news natively, but it begins anew before 0.9. */
  takeTime({ chat: { modifiedAt } }: World): void {
    if (this.chat) this.chat = { ...this.chat, modifiedAt };
  }

  expectEqual(world: World): void {
    const truth = new Replica(this.#version, world);
    const session = this.#comparable('session', this.session, truth.session);
    expect(session).toEqual(this.#comparable('session', truth.session));
    if (!this.chat || !truth.chat) return;
    expect(this.#comparable('chat', this.chat)).toEqual(this.#comparable('chat', truth.chat));
  }

  /** A model cannot be taken away before 0.5, so a replica may show one that nobody has chosen any more. */
  #comparable(kind: ChannelKind, state: WireObject, truth = state): unknown {
    const { name } = translatedDialect(this.#version);
    const model = (truth.summary as WireObject | undefined)?.model;
    const summary = model === undefined ? { ...(state.summary as WireObject), model: undefined } : state.summary;
    return comparableLegacy(name, kind, state.summary === undefined ? state : { ...state, summary });
  }
}

/** A state as a version shows it, with no members that the version does not have. */
export function shownState(version: TranslatedVersion, subject: Subject, directory: Directory): WireObject | undefined {
  const state = translatedDialect(version).down.state(subject, directory);
  const problem = state && shapeProblem(version, SHAPES[subject.kind], withoutFuture(state));
  expect(problem).toBeUndefined();
  return state;
}

/** Fails for an action that the version does not have, or one with other members. */
export function expectKnown(version: TranslatedVersion, action: WireObject): void {
  if (action.type === 'changeset/disposed') return; // docs/PROTOCOL.md: beyond the specification
  expect(shapeProblem(version, 'StateAction', withoutFuture(action))).toBeUndefined();
}

const SHAPES: { readonly [K in ChannelKind]: string } = {
  root: 'RootState',
  session: 'SessionState',
  chat: 'ChatState',
  terminal: 'TerminalState',
  changeset: 'ChangesetState',
  annotations: 'AnnotationsState',
  resourceWatch: 'ResourceWatchState',
  automation: 'AutomationState',
  automationRun: 'AutomationRunState',
};

/** Without the members that no version has; they are passed on. */
function withoutFuture(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFuture);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (key === 'future' || member === undefined) continue;
    copy[key] =
      key === 'changes' && typeof member === 'object' ? withoutFuture(withoutNulls(member)) : withoutFuture(member);
  }
  return copy;
}

/** In changes, null clears a member (OQ-25). */
function withoutNulls(changes: object | null): unknown {
  return changes && Object.fromEntries(Object.entries(changes).filter(([, member]) => member !== null));
}
