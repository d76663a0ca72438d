// Loaded into the service: says on demand what is left of its heap after a collection.
process.on('message', (id) => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ id, bytes: heapUsed + external });
});
process.channel?.unref();
