import { demoAgent } from '@moorage/agents/demo';
import { CloseCodes, type CloseInfo } from '@moorage/protocol';
import { expect, it } from 'vitest';
import { MemoryHost } from '../support/memory-host.js';

it('a host that is closing takes no connection any more', async () => {
  const host = new MemoryHost(() => [demoAgent({ isolation: 'none' })]);
  const client = await host.client('first');
  client.close();
  const closing = host.close();
  const late = host.connect();
  const closed = new Promise<CloseInfo>((resolve) => late.onClose(resolve));
  late.onMessage(() => {});
  expect(await closed).toMatchObject({ code: CloseCodes.GoingAway });
  await closing;
});
