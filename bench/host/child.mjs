/** Tells the parent where this server listens, then what it asks: processor time, memory, or a task of the server's own. */
export function answerParent(port, tasks) {
  process.on('message', async ({ id, task, options }) => {
    const run = { cpu: cpuMicroseconds, memory: residentBytes, ...tasks }[task];
    process.send({ id, result: await run(options) });
  });
  process.on('disconnect', () => process.exit());
  process.send({ port });
}

function cpuMicroseconds() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function residentBytes() {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}
