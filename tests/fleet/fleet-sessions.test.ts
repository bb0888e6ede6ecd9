import type { AgentInfo, SessionSummary } from '@moorage/protocol';
import { beforeEach, expect, it } from 'vitest';
import { FleetSessions } from '../../packages/fleet/src/gateway/fleet-sessions.js';

const A = { id: 'a', name: 'north' };
const B = { id: 'b', name: 'south' };
const summary = (resource: string, modifiedAt: string, more: object = {}) =>
  ({ resource, provider: 'demo', title: resource, modifiedAt, ...more }) as unknown as SessionSummary;
const agent = (provider: string) => ({ provider }) as AgentInfo;

let heard: unknown[] = [];
let fleet: FleetSessions;
beforeEach(() => {
  heard = [];
  fleet = new FleetSessions(() => ({
    setAgents: (agents) => heard.push(['agents', ...agents.map(({ provider }) => provider)]),
    sessionAdded: ({ resource }) => heard.push(['added', resource]),
    sessionChanged: (uri, changes) => heard.push(['changed', uri, changes]),
    sessionRemoved: (uri) => heard.push(['removed', uri]),
  }));
});
const listed = () => fleet.texts.map((text) => (JSON.parse(text) as SessionSummary).resource);

it('lists the sessions of all hosts, newest first, each with its host', () => {
  fleet.set(A, [], [summary('s1', '2026-01-01'), summary('s3', '2026-01-03', { _meta: { kept: 1 } })]);
  fleet.set(B, [], [summary('s2', '2026-01-02')]);
  expect(listed()).toEqual(['s3', 's2', 's1']);
  expect(JSON.parse(fleet.texts[0] ?? '')._meta).toEqual({
    kept: 1,
    'moorage.host': { id: 'a', name: 'north', address: '/hosts/a/' },
  });
  expect([fleet.addressOf('s2'), fleet.addressOf('s9')]).toEqual(['/hosts/b/', undefined]);
});

it('announces only what is different, and null for what is gone', () => {
  const [first, second] = [summary('s1', '1', { activity: 'thinking' }), summary('s2', '1')];
  fleet.set(A, [], [first, second]);
  heard = [];
  fleet.set(A, [], [summary('s1', '2'), second]);
  expect(heard.slice(-1)).toEqual([['changed', 's1', { modifiedAt: '2', activity: null }]]);
  heard = [];
  fleet.set(A, [], [second]);
  fleet.remove('a');
  fleet.remove('a');
  expect(heard.filter((one) => (one as string[])[0] === 'removed')).toEqual([
    ['removed', 's1'],
    ['removed', 's2'],
  ]);
  expect(listed()).toEqual([]);
});

it('shows an agent once, however many hosts have it', () => {
  fleet.set(A, [agent('demo')], []);
  fleet.set(B, [agent('demo'), agent('other')], []);
  fleet.remove('a');
  expect(heard).toEqual([
    ['agents', 'demo'],
    ['agents', 'demo', 'other'],
    ['agents', 'demo', 'other'],
  ]);
});

it('does not let a host take over a session that another one lists', () => {
  fleet.set(A, [], [summary('s1', '1')]);
  fleet.set(B, [], [summary('s1', '2', { title: 'forged' }), summary('s2', '1')]);
  expect(fleet.addressOf('s1')).toBe('/hosts/a/');
  expect(listed()).toEqual(['s1', 's2']);
  fleet.remove('b');
  expect(listed()).toEqual(['s1']);
});

it('does not believe a host that says it is another one', () => {
  fleet.set(A, [], [summary('s1', '1', { _meta: { 'moorage.host': { id: 'b', address: 'https://evil.example/' } } })]);
  expect(JSON.parse(fleet.texts[0] ?? '')._meta['moorage.host'].address).toBe('/hosts/a/');
});
