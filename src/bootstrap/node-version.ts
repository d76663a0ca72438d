/** Imported before everything else: an older version fails while loading other modules, with a message that does not help. */
const OLDEST_NODE = 22;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(
    `Node ${OLDEST_NODE} or newer is needed, this is ${process.version}. npm ci brings one along: use the npm scripts.\n`,
  );
  process.exit(1);
}
