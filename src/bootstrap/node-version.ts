/** Imported before everything else: older versions fail while loading, with an unhelpful message. */
const OLDEST_NODE = 22;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(
    `Node ${OLDEST_NODE} or newer is needed, this is ${process.version}. npm ci brings one along: use the npm scripts.\n`,
  );
  process.exit(1);
}
