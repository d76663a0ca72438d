// Loaded into the service: says on demand what is left of its heap after a collection, and ends with the soak that started it.
process.on('message', (id) => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ id, bytes: heapUsed + external });
});
process.on('disconnect', () => process.exit(1));
process.channel?.unref();
