import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Telemetry, TelemetrySignal, TelemetrySource } from '../ports/telemetry.js';

/** The contract of Telemetry and TelemetrySource, as a vitest suite. */
export function describeTelemetry(name: string, make: () => Telemetry & TelemetrySource): void {
  describe(`${name} is a Telemetry and its source`, () => {
    let telemetry: Telemetry & TelemetrySource;
    beforeEach(() => {
      telemetry = make();
    });
    afterEach(async () => {
      await telemetry.close();
    });

    /** Collects the batches of a signal from now on, as parsed OTLP. */
    const listen = async (signal: TelemetrySignal, minSeverity?: number) => {
      const batches: object[] = [];
      const stop = telemetry.listen(signal, (batch) => {
        const json = batch.json(minSeverity);
        if (json !== undefined) batches.push(JSON.parse(json));
      });
      await telemetry.ready();
      return { batches, stop };
    };

    it('is on while there is a listener, and accepts everything before', async () => {
      telemetry.count('early', 1);
      telemetry.startSpan('early').end();
      telemetry.log('error', 'early');
      await telemetry.ready();
      expect(telemetry.isOn).toBe(false);
      const [one, two] = [await listen('traces'), await listen('logs')];
      one.stop();
      expect(telemetry.isOn).toBe(true);
      two.stop();
      two.stop();
      expect(telemetry.isOn).toBe(false);
    });

    it('delivers spans with their parents and outcomes', async () => {
      const { batches } = await listen('traces');
      const outer = telemetry.startSpan('outer', { id: 'o', count: 2, absent: undefined });
      telemetry.startSpan('inner', {}, outer).end({ error: 'broke', attributes: { late: true } });
      outer.end();
      await until(() => /"outer"/.test(JSON.stringify(batches)));
      const [inner, whole] = ['inner', 'outer'].map((span) => deepFind(batches, span));
      expect(inner).toMatchObject({ traceId: whole?.traceId, parentSpanId: whole?.spanId, status: { code: 2 } });
      expect(attributes(inner)).toEqual({ 'error.type': 'broke', late: true });
      expect(attributes(whole)).toMatchObject({ id: 'o' });
      expect(attributes(whole)).not.toHaveProperty('absent');
    });

    it('delivers counters, distributions and gauges', async () => {
      let level = 1;
      telemetry.observe('level', () => level);
      const { batches } = await listen('metrics');
      telemetry.count('things', 2, { kind: 'a' });
      telemetry.count('things', 3, { kind: 'a' });
      telemetry.measure('time', 0.25);
      const last = (metric: string) => deepFind([...batches].reverse(), metric);
      await until(() => last('time') !== undefined);
      expect(points(last('things'))).toEqual([5]);
      expect(points(last('time'))).toEqual([0.25]);
      expect(points(last('level'))).toEqual([1]);
      level = 7;
      await until(() => points(last('level'))[0] === 7);
    });

    it('filters log records by severity', async () => {
      const [all, severe, none] = [await listen('logs'), await listen('logs', 13), await listen('logs', 21)];
      for (const level of ['debug', 'info', 'warn', 'error'] as const) telemetry.log(level, `a ${level}`, { level });
      await until(() => /a error/.test(JSON.stringify(severe.batches)));
      const bodies = ({ batches }: { batches: object[] }) =>
        JSON.stringify(batches).match(/a (debug|info|warn|error)/g);
      expect(bodies(all)).toEqual(['a debug', 'a info', 'a warn', 'a error']);
      expect(bodies(severe)).toEqual(['a warn', 'a error']);
      expect(none.batches).toEqual([]);
    });

    it('delivers what is left when closed, and nothing after that', async () => {
      const { batches } = await listen('traces');
      telemetry.startSpan('last').end();
      expect(await telemetry.close()).toBe(true);
      expect(deepFind(batches, 'last')).toBeDefined();
      const delivered = batches.length;
      expect(telemetry.isOn).toBe(false);
      telemetry.startSpan('late').end();
      telemetry.count('late', 1);
      telemetry.observe('late', () => 1);
      telemetry.log('error', 'late');
      expect(await telemetry.close()).toBe(true);
      expect(batches).toHaveLength(delivered);
    });
  });
}

interface Named {
  readonly name?: unknown;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly attributes?: readonly { readonly key: string; readonly value: object }[];
}

function until(condition: () => boolean): Promise<void> {
  return expect.poll(condition, { timeout: 30_000, interval: 5 }).toBe(true);
}

/** The first object with that name, at any depth. */
function deepFind(value: unknown, name: string): Named | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ((value as Named).name === name) return value;
  for (const inner of Object.values(value)) {
    const found = deepFind(inner, name);
    if (found) return found;
  }
  return undefined;
}

function attributes(holder: Named | undefined): Record<string, unknown> {
  return Object.fromEntries((holder?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** The values of a metric; for a distribution its sum. */
function points(metric: Named | undefined): number[] {
  type Point = { readonly asInt?: number | string; readonly asDouble?: number; readonly sum?: number };
  type Metric = Partial<Record<'sum' | 'gauge' | 'histogram', { readonly dataPoints: readonly Point[] }>>;
  const { sum, gauge, histogram } = (metric ?? {}) as Metric;
  const { dataPoints = [] } = sum ?? gauge ?? histogram ?? {};
  return dataPoints.map(({ asInt, asDouble, sum: total }) => Number(asDouble ?? asInt ?? total));
}
