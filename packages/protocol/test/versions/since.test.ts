import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type TSchema, Type } from '../../src/common/type.js';
import type { ActionRow, actionTable, ChannelKind, StateAction } from '../../src/index.js';
import type { Change, dialectOf as DialectOf } from '../../src/versions/index.js';
import type { StepActions } from '../../src/versions/step.js';
import { CHAT, SESSION, World } from '../support/versions/world.js';

/** Actions that nobody has, as if somebody had just added them to the table. */
const madeUp = {
  'chat/madeUp': '1.3.0',
  'session/madeUp': '0.9.0',
  'chat/madeUpEarlier': '0.5.1',
  'changeset/madeUp': '0.4.0',
  'root/madeUp': '0.2.0',
};

let dialectOf: typeof DialectOf;

// Loaded anew for this file: files of tests share a process, and another one may have loaded the real table already.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock('../../src/channels/action-table.js', withMadeUp);
  ({ dialectOf } = await import('../../src/versions/index.js'));
});
afterAll(() => {
  vi.doUnmock('../../src/channels/action-table.js');
  vi.resetModules();
});

async function withMadeUp() {
  const real = await vi.importActual<typeof import('../../src/channels/action-table.js')>(
    '../../src/channels/action-table.js',
  );
  const rows = Object.entries(madeUp).map(([type, since]) => {
    const kind = type.slice(0, type.indexOf('/')) as ChannelKind;
    const row: ActionRow = { kind, schema: Type.Object({ type: Type.Literal(type) }), sender: 'host', since };
    return [type, row] as const;
  });
  const added = new Map<string, ActionRow>(rows);
  return { ...real, actionRow: (type: string) => added.get(type) ?? real.actionRow(type) };
}

const VERSIONS = ['0.9.0', '0.7.0', '0.6.0', '0.5.2', '0.5.1', '0.5.0', '0.4.0', '0.3.0', '0.2.0', '0.1.0', 1] as const;

describe('an action that is added to the table', () => {
  it.each([
    ['chat/madeUp', []],
    ['session/madeUp', ['0.9.0']],
    ['chat/madeUpEarlier', ['0.9.0', '0.7.0', '0.6.0', '0.5.2', '0.5.1']],
    ['changeset/madeUp', ['0.9.0', '0.7.0', '0.6.0', '0.5.2', '0.5.1', '0.5.0', '0.4.0']],
    ['root/madeUp', ['0.9.0', '0.7.0', '0.6.0', '0.5.2', '0.5.1', '0.5.0', '0.4.0', '0.3.0', '0.2.0']],
  ])('%s reaches no version before it', (type, reached) => {
    const { directory, session, chat } = new World();
    const kind = type.slice(0, type.indexOf('/')) as ChannelKind;
    const state = kind === 'chat' ? chat : session;
    const change: Change = {
      channel: kind === 'chat' ? CHAT : SESSION,
      kind,
      action: { type } as unknown as StateAction,
      before: state,
      after: state,
      session: { uri: SESSION, state: session },
    };
    const receives = (version: string | number) => dialectOf(version)?.down?.change(change, directory).length !== 0;
    expect(VERSIONS.filter(receives)).toEqual(reached);
  });

  it('is refused from clients of a version before it', () => {
    const { directory } = new World();
    const action = { type: 'chat/madeUpEarlier' };
    const sent = (version: string) => dialectOf(version)?.up.action({ channel: CHAT, action }, directory);
    expect(sent('0.5.0')).toEqual({ kind: 'reject', reason: 'unknown action type "chat/madeUpEarlier"' });
    expect(sent('0.5.1')).toMatchObject({ kind: 'action', action });
  });

  it('must be listed by the step to the version before it, or nothing compiles', () => {
    type With<Since extends string> = typeof actionTable & {
      'chat/madeUp': ActionRow<'chat', TSchema, 'host', Since>;
    };
    const listed = (
      to09: StepActions<'native', '0.9.0'>,
      to052: StepActions<'0.6.0', '0.5.2'>,
    ): {
      later: StepActions<'native', '0.9.0', With<'1.3.0'>>;
      earlier: StepActions<'0.6.0', '0.5.2', With<'0.6.0'>>;
    } => ({
      later: { ...to09, 'chat/madeUp': 'absent' },
      earlier: { ...to052, 'chat/madeUp': 'absent' },
    });
    const forgotten = (
      to09: StepActions<'native', '0.9.0'>,
      to052: StepActions<'0.6.0', '0.5.2'>,
    ): {
      later: StepActions<'native', '0.9.0', With<'1.3.0'>>;
      earlier: StepActions<'0.6.0', '0.5.2', With<'0.6.0'>>;
    } => ({
      // @ts-expect-error 0.9 does not know it, and the step does not say what it sees instead
      later: to09,
      // @ts-expect-error 0.5.2 does not know it, and the step does not say what it sees instead
      earlier: to052,
    });
    expect([listed, forgotten]).toHaveLength(2); // what this checks is that the file compiles
  });
});
