const NEEDED = 24;

/** Ends the process with one sentence when Node is too old. It runs before other imports. */
export function requireNode() {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= NEEDED) return;
  process.stderr.write(
    `Gatehouse needs Node ${NEEDED} or newer, and this is ${node}: run "npm ci", which installs Node ${NEEDED}, and use the npm scripts.\n`,
  );
  process.exit(1);
}
