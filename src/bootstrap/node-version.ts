/** Imported before everything else: older versions fail while loading, or at the first password, with an unhelpful message. */
const OLDEST_NODE = [24, 7] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  process.stderr.write(
    `Node ${OLDEST_NODE.join('.')} or newer is needed, but this is ${process.version}. npm ci installs one: use the npm scripts.\n`,
  );
  process.exit(1);
}
