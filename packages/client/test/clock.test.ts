import { afterEach, expect, it, vi } from 'vitest';
import { Listeners } from '../src/listeners.js';
import { settingsOf } from '../src/options.js';

afterEach(() => vi.unstubAllGlobals());

async function freshClock() {
  vi.resetModules();
  return (await import('../src/clock.js')).systemClock;
}

it.each(['setImmediate', 'MessageChannel', 'setTimeout'])('defers behind promises with %s', async (means) => {
  if (means !== 'setImmediate') vi.stubGlobal('setImmediate', undefined);
  if (means === 'setTimeout') vi.stubGlobal('MessageChannel', undefined);
  const clock = await freshClock();
  const order: string[] = [];
  await new Promise<void>((resolve) => {
    clock.defer(() => order.push('first'));
    clock.defer(() => {
      order.push('second');
      resolve();
    });
    void Promise.resolve().then(() => order.push('promise'));
  });
  expect(order).toEqual(['promise', 'first', 'second']);
});

it('measures and keeps time', async () => {
  const clock = await freshClock();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
  await new Promise<void>((resolve) => clock.setTimeout(resolve, 1));
  const never = vi.fn();
  clock.clearTimeout(clock.setTimeout(never, 1));
  await new Promise<void>((resolve) => clock.setTimeout(resolve, 2)); // it would have come before this
  expect(never).not.toHaveBeenCalled();
});

it('calls no listener that was taken off by one before it', () => {
  const listeners = new Listeners<[number]>(() => {});
  const second = vi.fn();
  listeners.add(() => stop());
  const stop = listeners.add(second);
  listeners.emit(1);
  expect(second).not.toHaveBeenCalled();
});

it('hands errors to onError, and throws what that throws where the process sees it', async () => {
  const thrown = vi.fn();
  vi.stubGlobal('queueMicrotask', (run: () => void) => {
    try {
      run();
    } catch (error) {
      thrown(error);
    }
  });
  const { ProtocolError } = await import('../src/errors.js');
  const hostError = new ProtocolError('host');
  const ownError = new Error('own');
  const onError = vi.fn(() => {
    throw ownError;
  });
  settingsOf({ onError }).report(hostError);
  expect(onError).toHaveBeenCalledWith(hostError);
  expect(thrown.mock.calls).toEqual([[ownError]]);
  settingsOf({}).report(ownError);
  expect(thrown).toHaveBeenCalledTimes(2);
});
