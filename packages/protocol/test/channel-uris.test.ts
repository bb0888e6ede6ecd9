import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  annotationsUri,
  type ChangesetSelector,
  changesetTemplate,
  changesetUri,
  chatUri,
  expandUriTemplate,
  kindOfUri,
  parseChangesetUri,
  parseTelemetryUri,
  ROOT_URI,
  resourceWatchUri,
  sessionOfAnnotationsUri,
  sessionUri,
  telemetryLevels,
  telemetryTemplates,
  terminalUri,
} from '../src/index.js';

describe('kindOfUri', () => {
  it.each([
    ['ahp-root://', 'root'],
    ['ahp-session:/a1', 'session'],
    ['ahp-session:/a1/annotations', 'annotations'],
    ['copilot:/a1/annotations', 'annotations'],
    ['ahp-chat:/a1', 'chat'],
    ['ahp-terminal:/a1', 'terminal'],
    ['ahp-changeset:/a1/changeset/session', 'changeset'],
    ['ahp-changeset:/a1/changeset/uncommitted', 'changeset'],
    ['ahp-changeset:/a1/changeset/branch', 'changeset'],
    ['ahp-changeset:/a1/changeset/turn/t1', 'changeset'],
    ['ahp-changeset:/a1/changeset/compare-turns/t1/t2', 'changeset'],
    ['ahp-changeset:/a1/changeset/commit/3f9c2ab', 'changeset'],
    ['ahp-resource-watch:/a1', 'resourceWatch'],
    ['ahp-automations://', 'automation'],
    ['ahp-automation-run:/a1', 'automationRun'],
    ['ahp-otlp:/logs/warn', 'telemetry'],
    ['ahp-otlp:/traces', 'telemetry'],
    ['mcp://server', 'mcp'],
  ])('%s is a channel of kind %s', (uri, kind) => {
    expect(kindOfUri(uri)).toBe(kind);
  });

  it.each([
    '',
    'ahp-root:',
    'ahp-root:/',
    'ahp-root://x',
    'AHP-ROOT://',
    'ahp-session',
    'ahp-session:',
    'ahp-session:/',
    'ahp-session://a1',
    'ahp-session:/a/b',
    'ahp-session:/a?b',
    'ahp-session:/a b',
    ' ahp-session:/a',
    'ahp-sessions:/a',
    'ahp-session:/annotations/',
    '/annotations',
    'annotations',
    'ahp-chat:/a#b',
    'ahp-changeset:/a1',
    'ahp-changeset:/a1/changeset',
    'ahp-changeset:/a1/changeset/',
    'ahp-changeset:/a1/changeset/lunch',
    'ahp-changeset:/a1/other/session',
    'mcp:/server',
    'ahp-automations:/a1',
    'ahp-automation-run://a1',
    'ahp-automation:/a1',
    'file:///etc/passwd',
    'https://example.com',
    '__proto__',
  ])('%j has none of the forms', (uri) => {
    expect(kindOfUri(uri)).toBeUndefined();
  });

  it('never throws', () => {
    const piece = fc.oneof(
      fc.constantFrom('ahp-changeset:/', 'ahp-session:/', '/changeset/turn/', '%', '%ff'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        kindOfUri(pieces.join(''));
      }),
    );
  });
});

describe('session, chat, terminal and watch URIs (OQ-108)', () => {
  const forms = { session: sessionUri, chat: chatUri, terminal: terminalUri, resourceWatch: resourceWatchUri };

  it.each(Object.entries(forms))('%s: an id without a slash comes back as it was, never normalised', (kind, form) => {
    const id = fc.string({ minLength: 1 }).filter((text) => !/[/?#\s]/.test(text));
    fc.assert(
      fc.property(id, (text) => {
        expect(form.parse(form.format(text))).toBe(text);
        expect(kindOfUri(form.format(text))).toBe(kind);
      }),
    );
  });

  it('one form does not take another for its own', () => {
    expect(chatUri.parse(sessionUri.format('x'))).toBeUndefined();
    expect(chatUri.matches('ahp-chat:/x/y')).toBe(false);
  });
});

describe('annotations URIs (B-268)', () => {
  it.each(['ahp-session:/a1', 'copilot:/a1'])('belong to %s', (session) => {
    expect(annotationsUri(session)).toBe(`${session}/annotations`);
    expect(sessionOfAnnotationsUri(annotationsUri(session))).toBe(session);
  });

  it.each([ROOT_URI, 'ahp-session:/a1', 'ahp-session:/a1/annotation', 'ahp-session:/a/b/annotations', ''])(
    '%j is none',
    (uri) => {
      expect(sessionOfAnnotationsUri(uri)).toBeUndefined();
    },
  );
});

describe('changeset URIs (B-253, OQ-80)', () => {
  /** Anything that can be written in a URI: a lone surrogate has no UTF-8 form. */
  const id = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('a/b', '..', '%2F', '{turnId}', '?#', 'Grüße', '文', '😀', ' ', "!*'()", '__proto__'),
  );

  it.each([
    [{ kind: 'session' }, 'ahp-changeset:/s1/changeset/session'],
    [{ kind: 'uncommitted' }, 'ahp-changeset:/s1/changeset/uncommitted'],
    [{ kind: 'branch' }, 'ahp-changeset:/s1/changeset/branch'],
    [{ kind: 'elsewhere' }, 'ahp-changeset:/s1/changeset/elsewhere'],
    [{ kind: 'turn', turnId: 't/1' }, 'ahp-changeset:/s1/changeset/turn/t%2F1'],
    [{ kind: 'chat', chat: 'ahp-chat:/c1' }, 'ahp-changeset:/s1/changeset/chat/c1'],
    [
      { kind: 'chat', chat: 'ahp-chat://default/czE' },
      'ahp-changeset:/s1/changeset/chat/ahp-chat%3A%2F%2Fdefault%2FczE',
    ],
    [
      { kind: 'compare-turns', originalTurnId: 'ä', modifiedTurnId: 'b c' },
      'ahp-changeset:/s1/changeset/compare-turns/%C3%A4/b%20c',
    ],
  ] as [ChangesetSelector, string][])('%j is written %s', (selector, uri) => {
    expect(changesetUri('ahp-session:/s1', selector)).toBe(uri);
    expect(parseChangesetUri(uri)).toEqual({ session: 'ahp-session:/s1', selector });
  });

  it('a session with another scheme is named by its whole URI (V-14)', () => {
    const uri = 'copilot:/s1/changeset/session';
    expect(changesetUri('copilot:/s1', { kind: 'session' })).toBe(uri);
    expect(parseChangesetUri(uri)).toEqual({ session: 'copilot:/s1', selector: { kind: 'session' } });
  });

  it.each([
    ['ahp-session:/s1/changeset/turn/request_7', 'ahp-session:/s1'],
    ['copilot:/s1/changeset/turn/request_7', 'copilot:/s1'],
    ['ahp-changeset:/changeset/changeset/turn/request_7', 'ahp-session:/changeset'],
    ['ahp-changeset:/copilot%3A%2Fs1/changeset/turn/request_7', 'copilot:/s1'],
    ['ahp-changeset:/copilot%3A/s1/changeset/turn/request_7', 'copilot:/s1'],
    ['ahp-changeset:/copilot:/s1/changeset/turn/request_7', 'copilot:/s1'],
  ])('%s is understood, however it came to be written (V-50, V-51)', (uri, session) => {
    expect(parseChangesetUri(uri)).toEqual({ session, selector: { kind: 'turn', turnId: 'request_7' } });
  });

  it('a template that is expanded and taken apart gives the ids back', () => {
    fc.assert(
      fc.property(fc.constantFrom('ahp-session', 'copilot'), id, id, id, (scheme, sessionId, first, second) => {
        const session = `${scheme}:/${sessionId}`;
        const turn = expandUriTemplate(changesetTemplate(session, 'turn'), { turnId: first });
        expect(parseChangesetUri(turn)).toEqual({ session, selector: { kind: 'turn', turnId: first } });
        const variables = { originalTurnId: first, modifiedTurnId: second };
        const both = expandUriTemplate(changesetTemplate(session, 'compare-turns'), variables);
        expect(parseChangesetUri(both)).toEqual({ session, selector: { kind: 'compare-turns', ...variables } });
        expect(both).toMatch(/^[\x21-\x7e]+$/);
      }),
      { numRuns: 500 },
    );
  });

  it('an id that is no Unicode text cannot be written in a URI', () => {
    expect(() => changesetUri('ahp-session:/s1', { kind: 'turn', turnId: '\ud800' })).toThrow(URIError);
  });

  it.each([
    'ahp-changeset:/s1/changeset/turn/%',
    'ahp-changeset:/s1/changeset/turn/%zz',
    'ahp-changeset:/s1/changeset/turn/%c3',
    'ahp-changeset:/%ff/changeset/session',
    'ahp-changeset:/s1/changeset/turn/',
    'ahp-changeset:/s1/changeset/turn',
    'ahp-changeset:/s1/changeset/turn/a/b',
    'ahp-changeset:/s1/changeset/chat',
    'ahp-changeset:/s1/changeset/chat/',
    'ahp-changeset:/s1/changeset/chat/a/b',
    'ahp-changeset:/s1/changeset/chat/%zz',
    'ahp-changeset:/s1/changeset/chat/ahp-session%3A%2Fs1',
    'ahp-changeset:/s1/changeset/commit',
    'ahp-changeset:/s1/changeset/commit/HEAD',
    'ahp-changeset:/s1/changeset/commit/--all',
    'ahp-changeset:/s1/changeset/compare-turns/a',
    'ahp-changeset:/s1/changeset/compare-turns/a/b/c',
    'ahp-changeset:/s1/changeset/session/',
    'ahp-changeset:/s1/changeset/session/x',
    'ahp-changeset://changeset/session',
    'ahp-changeset:/s1//session',
    'ahp-changesets:/s1/changeset/session',
    'ahp-session:/s1/s2/changeset/session',
    'ahp-session:/s1/changeset',
    '/changeset/session',
  ])('%s is none of ours', (uri) => {
    expect(parseChangesetUri(uri)).toBeUndefined();
  });
});

describe('telemetry URIs (B-317, OQ-100)', () => {
  it.each(Object.keys(telemetryLevels))('the template of logs expands to level %s and back', (level) => {
    const uri = expandUriTemplate(telemetryTemplates.logs, { level });
    expect(uri).toBe(`ahp-otlp:/logs/${level}`);
    expect(parseTelemetryUri(uri)).toEqual({ signal: 'logs', level });
    expect(parseTelemetryUri(uri.toUpperCase().replace('AHP-OTLP:/LOGS', 'ahp-otlp:/logs'))).toEqual({
      signal: 'logs',
      level,
    });
  });

  it('without a level logs mean all of them', () => {
    expect(expandUriTemplate(telemetryTemplates.logs, {})).toBe('ahp-otlp:/logs');
    expect(parseTelemetryUri('ahp-otlp:/logs')).toEqual({ signal: 'logs', level: 'trace' });
  });

  it('traces and metrics have no level', () => {
    expect(parseTelemetryUri(expandUriTemplate(telemetryTemplates.traces, {}))).toEqual({ signal: 'traces' });
    expect(parseTelemetryUri(expandUriTemplate(telemetryTemplates.metrics, {}))).toEqual({ signal: 'metrics' });
  });

  it.each([
    'ahp-otlp:/logs/loud',
    'ahp-otlp:/logs/',
    'ahp-otlp:/logs/info/x',
    'ahp-otlp:/logs/constructor',
    'ahp-otlp:/traces/info',
    'ahp-otlp:/metrics/',
    'ahp-otlp:/',
    'ahp-session:/logs',
  ])('%s selects nothing', (uri) => {
    expect(parseTelemetryUri(uri)).toBeUndefined();
  });
});
